"""Reads the static probes of an executable from SystemTap's notes in its ELF section `.note.stapsdt`."""

import re
import struct
from collections import Counter, namedtuple

import lib

# A probe: its name, its file offset, its address, and the operand that holds its subject, such as `8@%rdi`.
Site = namedtuple("Site", "name offset address operand")

# The library's probes, and when each fires.
MEANINGS = {
    "send": "a value is sent to the input of a signal or of a start",
    "contended": "an event is queued, because the strand already has an owner",
    "handover": "a thread has delivered its limit of other threads' events, and hands the rest over",
    "wait": "a sender is about to sleep, because an inbox or the buffer of a hop is full",
    "adopt": "a thread adopts a strand that has no thread",
    "stall": "nothing was delivered for a stall timeout, and one more capacity is admitted",
    "beyond": "a value takes a permit beyond the bound, because waiting would be a deadlock",
    "hop": "an event is posted to the mailbox of a scheduler",
    "wake": "a mailbox asks its scheduler for a drain",
    "drop": "a value is dropped: its stream has ended, it has no observer, or a buffer is full",
}


def sites(path, provider="corinth"):
    """Returns the probes of one provider, in the order of their addresses."""
    try:
        with open(path, "rb") as file:
            image = file.read()
    except OSError as error:
        raise lib.Fault(f"can't read {path}: {error.strerror}")
    if image[:6] != b"\x7fELF\x02\x01":
        raise lib.Fault(f"{path} isn't a 64-bit, little-endian ELF file")
    sections = read_sections(image)
    note = sections.get(".note.stapsdt")
    if note is None:
        return []
    # Tools that relocate a program also relocate this anchor.
    anchor = sections.get(".stapsdt.base")
    found = set()
    for name, description in notes(image[note["offset"]: note["offset"] + note["size"]]):
        if name != b"stapsdt":
            continue
        address, base, _ = struct.unpack_from("<QQQ", description)
        owner, probe, operand = description[24:].split(b"\0")[:3]
        if owner.decode() != provider:
            continue
        if anchor and base:
            address += anchor["address"] - base
        offset = file_offset(sections, address)
        # The linker may remove a function but keep its note.
        if offset is not None and is_nop(image, offset):
            found.add(Site(probe.decode(), offset, address, operand.decode()))
    return sorted(found, key=lambda site: site.address)


def read_sections(image):
    start, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", image, start + index * size) for index in range(count)]
    strings = headers[names][4]
    result = {}
    for name, _, flags, address, offset, length in headers:
        end = image.index(b"\0", strings + name)
        result[image[strings + name: end].decode()] = {
            "address": address, "offset": offset, "size": length, "runs": bool(flags & 4)}
    return result


def notes(section):
    at = 0
    while at + 12 <= len(section):
        name_size, size, _ = struct.unpack_from("<III", section, at)
        name = section[at + 12: at + 12 + name_size].rstrip(b"\0")
        at += 12 + (name_size + 3) // 4 * 4
        yield name, section[at: at + size]
        at += (size + 3) // 4 * 4


def file_offset(sections, address):
    for section in sections.values():
        if section["runs"] and section["address"] <= address < section["address"] + section["size"]:
            return address - section["address"] + section["offset"]
    return None


def is_nop(image, offset):
    return image[offset] == 0x90 or image[offset: offset + 4] == b"\x1f\x20\x03\xd5"


def kernel_operand(operand):
    """Returns the operand in the kernel's syntax: `8@%rdi` becomes `%di:x64`, `8@x0` becomes `%x0:x64`."""
    register = operand.split("@", 1)[1].lstrip("%")
    if found := re.fullmatch(r"r(ax|bx|cx|dx|si|di|bp|sp)", register):
        register = found[1]
    return f"%{register}:x64"


def listed(sites):
    """Returns the lines of the list of probes: how many places each has, and when it fires."""
    places = Counter(site.name for site in sites)
    rows = [("probe", "sites", "fires when")]
    for name, meaning in MEANINGS.items():
        rows.append((f"corinth:{name}", str(places[name]).rjust(5), meaning))
    return lib.aligned(rows, left=3)


def replaced(text, lines):
    """Returns a document with another list of probes: the lines from its heading to the next empty line or end of code."""
    old = re.search(r"^probe +sites +fires when\n(?:(?!```).+\n)*", text, re.M)
    if not old:
        raise lib.Fault("perf/README.md has no list of probes")
    return text[:old.start()] + "\n".join(lines) + "\n" + text[old.end():]
