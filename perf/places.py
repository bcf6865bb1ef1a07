"""Finds the source lines of return addresses, with the symboliser of Swift's toolchain or of binutils."""

import bisect
import os
import re
import shutil
import struct
import subprocess
from collections import namedtuple

import flames
import graph
import lib

# What the code of the library lies below.
LIBRARY = re.compile(r"(^|/)Sources/C?Corinth/")

# Swift's own code, by its images and by the source paths of what is inlined from it.
RUNTIME = re.compile(r"lib(swift|dispatch|_?Foundation|BlocksRuntime|c\.|pthread|stdc\+\+|m\.)|ld-|\[")
RUNTIME_SOURCE = re.compile(r"<compiler-generated>|(^|/)(swift/stdlib|stdlib/public|swift-corelibs-\w+|swift-foundation)/")

# The symbols of the library, and of its extensions of other types.
SYMBOL = re.compile(r"_?\$[sS]((7Corinth|11CorinthNATS)[A-Z0-9]|\w*?(7Corinth|11CorinthNATS)E)")

# The symbols of methods of the standard library's types, such as `Array`.
STANDARD = re.compile(r"_?\$[sS]S[a-zA-Z]")


# A call: the symboliser's name of the function, then the plain one; its file; its line, 0 if unknown; its image; whether it is of the
# program itself, and whether of the library.
Frame = namedtuple("Frame", "function file line image is_own is_library", defaults=(False, False))


def symboliser():
    """Returns the command that symbolises, or None. The toolchain's own knows the compiler's debug information best."""
    swift = shutil.which("swift")
    beside = swift and os.path.join(os.path.dirname(os.path.realpath(swift)), "llvm-symbolizer")
    for path in (beside, shutil.which("llvm-symbolizer")):
        if path and os.access(path, os.X_OK):
            return [path, "--output-style=GNU"]
    path = shutil.which("addr2line")
    return [path] if path else None


class Places:
    """The places of the nodes of one process. What has been looked up once isn't looked up again."""

    def __init__(self):
        self.tool, self.frames, self.images, self.stacks = symboliser(), {}, {}, {}
        self.maps, self.starts, self.mapped = None, [], []

    def add(self, data):
        """Adds to each node and observation that doesn't have them yet: its place, the stack outside the library, and the function of
        the library that was called there."""
        made = [part for name in graph.PARTS for part in data.get(name, ()) if "place" not in part]
        if data.get("maps") != self.maps:
            self.maps, self.stacks = data.get("maps"), {}
            self.starts, self.mapped = sorted_maps(self.maps)
        stacks = {key for part in made if (key := frames_of(part)) not in self.stacks}
        self.look_up({self.located(text, data) for stack in stacks for text in stack} - {None})
        for stack in stacks:
            frames = [frame for text in stack for frame in self.frames.get(self.located(text, data), ())]
            self.stacks[stack] = own([frame for frame in frames if frame.is_own]), maker(frames)
        for part in made:
            stack, called = self.stacks[frames_of(part)]
            if "made" in part:
                part["by"] = called
            # The compiler gives some inlined code no line. Then the caller's line is told.
            part["place"] = short(next((frame for frame in stack if frame.line), stack[0])) if stack else None
            part["stack"] = list(dict.fromkeys(told(frame) for frame in stack))

    def located(self, text, data):
        """Returns the image and the address in it of the call that returns to an address."""
        try:
            address = int(text, 16) - 1
        except ValueError:
            return None
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.mapped[at][1]:
            return None
        start, _, offset, path = self.mapped[at]
        # The file of a program that was replaced meanwhile is still there under this name.
        if path.endswith(" (deleted)") and path.removesuffix(" (deleted)") == data.get("program"):
            path = f"/proc/{data.get('pid')}/exe"
        return path, address - start + offset

    def look_up(self, calls):
        wanted = {}
        for path, offset in calls:
            if (path, offset) not in self.frames:
                self.frames[path, offset] = []
                if path not in self.images:
                    self.images[path] = segments(path)
                address = virtual(self.images[path], offset)
                if address is not None:
                    wanted.setdefault(path, {})[address] = offset
        if not self.tool:
            return
        for path, offsets in wanted.items():
            for address, frames in symbolised(self.tool, path, offsets).items():
                self.frames[path, offsets[address]] = frames
        names = {frame.function for path, offsets in wanted.items() for offset in offsets.values()
                 for frame in self.frames[path, offset]}
        # Without swift, the names stay mangled.
        plain = flames.demangled(names) if shutil.which("swift") and names else {}
        for path, offsets in wanted.items():
            for offset in offsets.values():
                self.frames[path, offset] = [
                    frame._replace(function=plain.get(frame.function, frame.function), is_own=is_own(frame),
                                   is_library=is_library(frame)) for frame in self.frames[path, offset]]


def frames_of(part):
    frames = part.get("frames")
    return tuple(map(str, frames)) if isinstance(frames, list) else ()


def sorted_maps(maps):
    """Returns the starts of the mapped parts of files, in order, and the parts."""
    parts = []
    for part in maps if isinstance(maps, list) else ():
        try:
            parts.append((int(part["start"], 16), int(part["end"], 16), int(part.get("offset", 0)), str(part["path"])))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    parts.sort()
    return [part[0] for part in parts], parts


def segments(path):
    """Returns where the parts of an ELF file are loaded: their offsets in the file, sizes, and virtual addresses."""
    try:
        with open(path, "rb") as file:
            head = file.read(64)
            if head[:6] != b"\x7fELF\x02\x01":
                return []
            offset, = struct.unpack_from("<Q", head, 0x20)
            size, count = struct.unpack_from("<HH", head, 0x36)
            file.seek(offset)
            table = file.read(size * count)
        parts = [struct.unpack_from("<IIQQQQ", table, size * index) for index in range(count)]
    except (OSError, struct.error):
        return []
    return [(start, size, address) for kind, _, start, address, _, size in parts if kind == 1]


def virtual(parts, offset):
    for start, size, address in parts:
        if start <= offset < start + size:
            return offset - start + address
    return None


def symbolised(tool, path, addresses):
    """Returns the frames of each address, with the inlined ones, innermost first."""
    done = subprocess.run([*tool, "-a", "-i", "-f", "-C", "-e", path], input="".join(f"{number:#x}\n" for number in addresses),
                          capture_output=True, text=True, errors="replace")
    frames, function, current = {}, None, None
    for line in done.stdout.splitlines():
        if re.fullmatch(r"0x[0-9a-f]+", line):
            current, function = frames.setdefault(int(line, 16), []), None
        elif function is None:
            function = line
        elif current is not None:
            file, _, number = re.sub(r" \(discriminator \d+\)$", "", line).rpartition(":")
            current.append(Frame(function, "" if file.startswith("??") else file, int(number) if number.isdigit() else 0, path))
            function = None
    return frames


def is_own(frame):
    """Whether a frame is of the program itself, not of the library or of Swift. Without a line, the symbol decides."""
    function, file, line, image, *_ = frame
    if RUNTIME.match(os.path.basename(image)):
        return False
    if LIBRARY.search(file) or RUNTIME_SOURCE.search(file):
        return False
    return bool(line) or function != "??" and not STANDARD.match(function) and flames.room(function, image) == "scenario"


def is_library(frame):
    """Whether a frame is of the library: by its symbol, since inlined code may have no file."""
    return bool(LIBRARY.search(frame.file) or SYMBOL.match(frame.function))


def maker(frames):
    """Returns the function of the library that the program's own code has called, such as `Signal.merge`; None if that isn't known."""
    called = None
    for frame in frames:
        if frame.is_own:
            break
        if frame.is_library:
            called = frame.function
    if not called:
        return None
    # What is left is a type and a member: `static Signal.merge<A>(_:)`, `closure #1 in Action.__allocating_init(execute:)`.
    name = re.sub(r" in conformance .*|\(.*", "", re.sub(r"<[^<>]*>", "", re.sub(r"^closure #\d+ in ", "", called)))
    return name.rpartition(" ")[2].replace("__allocating_init", "init").removesuffix(".getter")


def own(frames):
    """Leaves out the C start-up code at the outer end, which has no source."""
    while frames and not frames[-1].file and frames[-1].function in ("_start", "__libc_start_main"):
        frames = frames[:-1]
    return frames


def short(frame):
    function, file, line, *_ = frame
    return f"{os.path.basename(file)}:{line}" if file and line else function


def told(frame):
    function, file, line, *_ = frame
    return f"{function} at {file}:{line}" if file and line else function
