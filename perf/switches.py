"""Reads from the scheduler's tracepoints when each thread of a scenario slept, was woken, ran and migrated."""

import re
from collections import defaultdict, namedtuple

import flames
import lib

# A time without a processor: its start, its duration, whether the thread slept or was preempted, and the stack at which it
# stopped.
Absence = namedtuple("Absence", "thread start nanoseconds asleep stack")

SWITCH = re.compile(r"(?:prev_comm=.* )?prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+)"
                    r"|.*:(\d+) \[-?\d+\] (\S+) ==> .*:(\d+) \[-?\d+\]")
THREAD = re.compile(r"pid=(\d+)|.*:(\d+) \[-?\d+\]")
EVENT = re.compile(r"^.*?\s+(\d+)/(\d+)\s+\[(\d+)\]\s+([\d.]+):\s+sched:(\w+):\s+(.*)$")


def trace(options, stacks=False):
    """Runs a scenario or a program, or looks at a process, with the scheduler traced. Returns the run and the history of its
    threads."""
    lib.need_tracepoints()
    subject = lib.subject(options, options.build)
    events = "sched:sched_switch" if stacks else "sched:sched_switch,sched:sched_wakeup,sched:sched_migrate_task"
    with lib.Scratch() as scratch:
        data = scratch.file("sched.data")
        tracer = ["perf", "record", "-q", "-N", "-a", "-m", "8M", "-e", events, "-o", data]
        run, printed = lib.under([*tracer, *(["--call-graph", "fp"] if stacks else []), "--"], subject)
        if re.search(r"lost|LOST", printed):
            lib.say("some events were lost: use --seconds for a shorter run")
        lines = lib.script(data, "comm,pid,tid,cpu,time,event,trace" + (",ip,sym,dso" if stacks else ""))
        return run, History(run.process, flames.samples(lines))


class History:
    """The scheduling history of the threads of one process."""

    def __init__(self, process, samples):
        self.threads = set()
        self.absences = []
        self.latencies = defaultdict(list)
        self.preemptions = defaultdict(int)
        self.sleeps = defaultdict(int)
        self.migrations = defaultdict(int)
        self.names = {}
        woken, away = {}, {}
        events = [(EVENT.match(header), frames) for header, frames in samples]
        events = [(found, frames) for found, frames in events if found]
        # First find the threads of the process: each stop of a thread shows its process.
        self.threads = {int(found[2]) for found, _ in events if int(found[1]) == process}
        for found, frames in events:
            time, kind, rest = round(float(found[4]) * 1e9), found[5], found[6]
            if kind == "sched_switch":
                self.switch(rest, time, frames, woken, away)
            elif thread := self.thread_of(rest):
                if kind == "sched_wakeup":
                    woken.setdefault(thread, time)
                elif kind == "sched_migrate_task":
                    self.migrations[thread] += 1

    def switch(self, rest, time, frames, woken, away):
        found = SWITCH.match(rest)
        if not found:
            return
        last, state, next = (found[1] or found[4]), (found[2] or found[5]), (found[3] or found[6])
        last, next = int(last), int(next)
        if last in self.threads:
            # R: the thread was runnable, so it was preempted.
            asleep = not state.startswith("R")
            (self.sleeps if asleep else self.preemptions)[last] += 1
            away[last] = (time, asleep, frames)
        if next in self.threads:
            if next in away:
                start, asleep, stack = away.pop(next)
                self.absences.append(Absence(next, start, time - start, asleep, stack))
            if next in woken:
                self.latencies[next].append(time - woken.pop(next))

    def thread_of(self, rest):
        found = THREAD.search(rest)
        thread = int(found[1] or found[2]) if found else None
        return thread if thread in self.threads else None
