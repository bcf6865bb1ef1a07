"""Asks the inspector of a running process for snapshots, over its Unix socket."""

import errno
import os
import select
import socket
import time

import graph
import lib

# A process that answers no request for so long, in seconds, is reported.
PATIENCE = 10

# A process that is younger, in seconds, may not listen yet.
YOUNG = 2


def is_running(number):
    """Whether a process runs. One that has ended may still be there, for the one that started it."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError as error:
        return error.errno == errno.EPERM
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return not os.path.isdir("/proc/self")


def is_young(number):
    try:
        with open(f"/proc/{number}/stat") as stat, open("/proc/uptime") as uptime:
            begun = int(stat.read().rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
            return float(uptime.read().split()[0]) - begun < YOUNG
    except OSError:
        return False


def socket_path(number):
    """Returns where a process serves its inspector, if it does."""
    try:
        with open(f"/proc/{number}/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        variables = []
    for variable in variables:
        if variable.startswith(b"CORINTH_INSPECT=unix:"):
            return os.fsdecode(variable.partition(b":")[2])
    return f"/tmp/corinth-{number}.sock"


class Inspector:
    """A connection to a process."""

    def __init__(self, number):
        self.number, self.parts, self.socket = number, [], socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        if not is_running(number):
            raise lib.Fault(f"there is no process {number}", 2)
        self.socket.settimeout(PATIENCE)
        while not self.connects():
            time.sleep(0.02)

    def connects(self):
        """Returns False if the process has just begun. Its environment may still be that of the shell that starts it, too."""
        try:
            self.socket.connect(socket_path(self.number))
            return True
        except TimeoutError:
            raise self.silence()
        except OSError as error:
            if isinstance(error, (FileNotFoundError, ConnectionRefusedError)) and is_young(self.number):
                return False
            variables = f"/proc/{self.number}/environ"
            if isinstance(error, PermissionError) or os.path.exists(variables) and not os.access(variables, os.R_OK):
                raise lib.Fault(f"process {self.number} can't be looked at: it is another user's; run this as its user, or as root")
            raise lib.Fault(f"process {self.number} doesn't show its streams: start it with CORINTH_INSPECT=1, "
                            "or call Inspector.serve() in it")

    def fileno(self):
        return self.socket.fileno()

    def ask(self):
        try:
            self.socket.sendall(b"snapshot\n")
        except TimeoutError:
            raise self.silence()
        except OSError:
            raise self.end()

    def receive(self):
        """Returns the snapshot, or None as long as a part of it is missing. Call this when there is something to read."""
        try:
            part = self.socket.recv(1 << 20)
        except TimeoutError:
            raise self.silence()
        except OSError:
            part = b""
        if not part:
            raise self.end()
        self.parts.append(part)
        if b"\n" not in part:
            return None
        line, _, rest = b"".join(self.parts).partition(b"\n")
        self.parts = [rest] if rest else []
        return graph.parsed(line.decode(errors="replace"), f"what process {self.number} sends")

    def snapshot(self):
        self.ask()
        until = time.monotonic() + PATIENCE
        while True:
            if not select.select([self.socket], [], [], max(0, until - time.monotonic()))[0]:
                raise self.silence()
            if data := self.receive():
                return data

    def silence(self):
        return lib.Fault(f"process {self.number} doesn't answer: no snapshot within {PATIENCE} s")

    def end(self):
        """Returns why there is nothing more. The connection of a process that ends closes a little earlier."""
        for _ in range(20):
            if not is_running(self.number):
                return lib.Fault(f"process {self.number} has ended")
            time.sleep(0.05)
        return lib.Fault(f"process {self.number} doesn't show its streams any more")
