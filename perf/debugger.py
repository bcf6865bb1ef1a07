"""Reads the streams of a core file, or of a process that doesn't answer, with gdb and its script `postmortem.py`."""

import os
import re
import subprocess

import lib

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "postmortem.py")

# The kind of an ELF file that is a core file.
CORE = 4


def of_core(core, program):
    """Returns a snapshot of a process, from what it left when it ended, as text."""
    if elf_kind(core) != CORE:
        raise lib.Fault(f"{core} is no core file")
    if elf_kind(program) in (None, CORE):
        raise lib.Fault(f"{program} is no program")
    return read([program, core])


def of_process(number):
    """Returns a snapshot of a process, which stands still meanwhile."""
    if not os.path.isdir(f"/proc/{number}"):
        raise lib.Fault(f"there is no process {number}", 2)
    return read(["-p", str(number)])


def elf_kind(path):
    """Returns what kind of ELF file it is; None if it is none."""
    try:
        with open(path, "rb") as file:
            head = file.read(18)
    except OSError as error:
        raise lib.Fault(f"can't read {path}: {error.strerror}", 2)
    return int.from_bytes(head[16:18], "little") if head[:4] == b"\x7fELF" and len(head) == 18 else None


def read(subject):
    lib.need("gdb", "gdb")
    progress = lib.Progress("gdb reads the symbols")
    progress.show(0)
    with lib.Scratch() as scratch:
        path = scratch.file("snapshot.json")
        done = subprocess.run(["gdb", "-nx", "-batch", *subject, "-x", SCRIPT, "-ex", f"corinth {path}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        progress.clear()
        notes = re.findall(r"^corinth: (.*)$", done.stdout, re.M)
        faults = re.findall(r"^corinth: (.*)$", done.stderr, re.M)
        if os.path.exists(path):
            for note in notes:
                lib.say(note)
            with open(path) as file:
                return file.read()
    if lib.is_refused(done.stderr):
        raise lib.Fault(f"gdb may not look at process {subject[-1]}; run this as root")
    raise lib.Fault(faults[0] if faults else f"gdb failed: {lib.last_line(done.stderr)}")
