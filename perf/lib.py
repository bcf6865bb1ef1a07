"""Shared code of the profiling tools: builds the benchmarks, runs one scenario or a program of the user under a tool, or looks at
a running process, and reports in one line what is missing or forbidden."""

import argparse
import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BENCHMARKS = os.path.join(ROOT, "Benchmarks")
TRACING = "/sys/kernel/tracing"
FLAVOURS = ("lockfree", "naive", "direct")

# Samples per second. The number isn't round, so that sampling doesn't coincide with periodic work of the program.
FREQUENCY = 997


class Fault(Exception):
    """An error with a message of one line."""

    def __init__(self, message, status=1):
        super().__init__(message)
        self.status = status


def tool():
    """Returns the name of the running tool: perf/NAME."""
    return "perf/" + os.path.basename(sys.argv[0])


def say(text):
    print(f"{tool()}: {text}", file=sys.stderr, flush=True)


def main(body, is_tracing=True):
    """Runs a tool. Turns a fault into one line on standard error and a non-zero exit status."""
    if is_tracing:
        mount_tracing()
    # On these signals, exit normally, so that tracing is removed.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    try:
        body()
    except Fault as fault:
        say(str(fault))
        sys.exit(fault.status)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader has closed the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


class PlainParser(argparse.ArgumentParser):
    """Reports errors in one line."""

    def error(self, message):
        raise Fault(f"{message}; see {tool()} --help", 2)


class Parser(PlainParser):
    """What stands behind `--` is a program of the user, with its arguments."""

    # Whether a scenario, a program or a process must be named.
    needs_subject = True

    def parse_args(self):
        arguments, program = sys.argv[1:], None
        if "--" in arguments:
            at = arguments.index("--")
            arguments, program = arguments[:at], arguments[at + 1:]
        options = super().parse_args(arguments)
        options.program = program
        given = sum(part is not None for part in (options.scenario, options.program, options.pid))
        if given > 1 or given == 0 and self.needs_subject:
            self.error("one of these is needed: a SCENARIO, --pid N, or a program behind --")
        if program == []:
            self.error("there is no program behind --")
        options.is_own = options.scenario is None and given > 0
        for option in SCENARIO_OPTIONS if options.is_own else ():
            if getattr(options, option, None):
                self.error(f"--{option} is for scenarios of the benchmarks")
        return options


# What a program of the user doesn't have.
SCENARIO_OPTIONS = ("build", "against", "events", "cost")


def parser(what, seconds=5.0, several=False):
    """Returns a parser for a scenario, a program or a process, a duration, and one build or several."""
    made = Parser(prog=tool(), description=what, allow_abbrev=False,
                  usage=f"{tool()} [OPTION…] SCENARIO | --pid N | -- PROGRAM [ARGUMENT…]")
    made.add_argument("scenario", metavar="SCENARIO", nargs="?", help="a scenario; Benchmarks/run --list names them")
    made.add_argument("--pid", type=positive(int), metavar="N", help="look at this process instead")
    made.add_argument("--build", choices=FLAVOURS, action="append" if several else "store",
                      help="only this side; may be given more than once" if several else "the side to run (default lockfree)")
    made.add_argument("--build-dir", metavar="DIRECTORY", help="the folder of the builds, as that of Benchmarks/run")
    made.add_argument("--seconds", type=positive(float), default=seconds,
                      help=f"the duration in seconds (default {seconds:g}); a program that runs longer is ended")
    return made


def positive(kind):
    def convert(text):
        try:
            number = kind(text)
        except ValueError:
            number = 0
        if not 0 < number < 1e12:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
        return number

    return convert


# MARK: Requirements


def need(command, package):
    """Installs a missing program if possible, and reports it."""
    if shutil.which(command):
        return
    install(package)
    if not shutil.which(command):
        raise Fault(f"{command} is still missing after installing {package}")


def install(package):
    if subprocess.run([os.path.join(ROOT, "Tests/install"), tool(), package]).returncode != 0:
        raise SystemExit(1)


def need_linux():
    if not sys.platform.startswith("linux"):
        raise Fault("this tool needs Linux; on macOS, use Instruments")


def need_perf():
    need_linux()
    need("perf", "linux-perf")


def paranoia():
    try:
        with open("/proc/sys/kernel/perf_event_paranoid") as file:
            return int(file.read())
    except OSError:
        raise Fault("this kernel has no perf events: /proc/sys/kernel/perf_event_paranoid doesn't exist")


def mount_tracing():
    """Mounts the file system of the kernel's tracing if it isn't, for this process and what it starts: in a container or on a fresh
    machine, nobody has. That takes root."""
    mark = "CORINTH_PERF_MOUNTED"
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or mark in os.environ or is_tracing_mounted():
        return
    if not os.path.isdir(TRACING) or not shutil.which("unshare"):
        return
    mounting = f'mount -t tracefs nodev {TRACING} 2>/dev/null; exec "$@"'
    inside = ["unshare", "-m", "sh", "-c", mounting, "sh", sys.executable, "-B", *sys.argv]
    # Some containers forbid namespaces.
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0:
        os.execvpe("unshare", inside, dict(os.environ, **{mark: "1"}))


def is_tracing_mounted():
    return os.path.exists(os.path.join(TRACING, "events"))


def unmounted():
    """Returns what to do about a tracefs that isn't mounted, or None."""
    if is_tracing_mounted():
        return None
    return f"tracefs isn't mounted; as root: mount -t tracefs nodev {TRACING}"


def need_tracepoints():
    """Checks that the scheduler's tracepoints can be recorded on all processors."""
    need_perf()
    if os.geteuid() == 0 and (reason := unmounted()):
        raise Fault(reason)
    if os.geteuid() != 0 and not os.access(os.path.join(TRACING, "events"), os.R_OK):
        raise Fault(f"the kernel forbids tracing the scheduler: {TRACING} can't be read; run this as root")
    if not os.path.exists(os.path.join(TRACING, "events/sched")):
        raise Fault(f"this kernel has no scheduler tracepoints: {TRACING}/events/sched doesn't exist")
    tried = subprocess.run(["perf", "stat", "-a", "-e", "sched:sched_switch", "true"], capture_output=True, text=True)
    if tried.returncode != 0:
        raise Fault("the kernel forbids tracing the scheduler: kernel.perf_event_paranoid is "
                    f"{paranoia()}; run this as root, or as root: sysctl kernel.perf_event_paranoid=-1")


def has_event(event):
    """Returns whether the kernel counts an event on this machine, for this user."""
    done = subprocess.run(["perf", "stat", "-x", ",", "-e", event, "true"], capture_output=True, text=True)
    return done.returncode == 0 and "not supported" not in done.stderr and "not counted" not in done.stderr


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


# MARK: Building and running


def build(flavour, probes=True, folder=None):
    """Builds the benchmarks in the same folders as `Benchmarks/run`, or below another one, and returns the executable."""
    if not shutil.which("swift"):
        raise Fault("swift isn't installed or isn't on the PATH")
    if not any(os.path.exists(f"{path}/jemalloc/jemalloc.h") for path in ("/usr/include", "/usr/local/include")):
        install("libjemalloc-dev")
    flavour = "lockfree" if flavour == "direct" else flavour
    name = flavour if probes else f"{flavour}-without-probes"
    scratch = os.path.join(folder or os.path.join(BENCHMARKS, ".build"), name)
    try:
        os.makedirs(scratch, exist_ok=True)
    except OSError as error:
        raise Fault(f"can't write to {scratch}: {error.strerror}; --build-dir DIRECTORY names another folder for the builds")
    command = ["swift", "build", "-c", "release", "--product", "corinth-bench", "--package-path", BENCHMARKS,
               "--scratch-path", scratch]
    if flavour == "naive":
        command += ["--traits", "NaiveLocks"]
    if not probes:
        command += ["-Xcc", "-DCORINTH_NO_PROBES"]
    if sys.stderr.isatty() or not os.path.exists(os.path.join(scratch, "release/corinth-bench")):
        say(f"building {name} (release)")
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        raise Fault(f"building {name} failed; its output is above")
    return os.path.realpath(os.path.join(scratch, "release/corinth-bench"))


def check_scenario(executable, name):
    names = subprocess.run([executable, "--list"], capture_output=True, text=True).stdout.split()
    if name not in names:
        near = [other for other in names if other.split("/")[0] == name.split("/")[0]]
        raise Fault(f"no scenario is called '{name}'; " + (f"near: {', '.join(near)}" if near else
                                                            "Benchmarks/run --list names them"), 2)


class Scenario:
    """A scenario of the benchmarks, in one of its builds."""

    def __init__(self, options, flavour):
        self.name, self.flavour, self.seconds = options.scenario, flavour, options.seconds
        self.executable = build(flavour, folder=options.build_dir)
        self.label = f"{self.name.replace('/', '-')}-{flavour}"
        check_scenario(self.executable, self.name)

    def command(self, events=None):
        """The command line that runs it, for a time or a number of events."""
        length = ["--events", str(events)] if events else ["--seconds", str(self.seconds)]
        direct = ["--direct"] if self.flavour == "direct" else []
        return [self.executable, "only", self.name, *length, *direct]

    def launch(self, tracer, events=None):
        return [*tracer, *self.command(events)]

    def run(self, text, seconds):
        """The results of a run that printed `text`."""
        return Run(text)


class Program:
    """A program of the user. It is ended after a time."""

    def __init__(self, options):
        found = shutil.which(options.program[0])
        if not found:
            raise Fault(f"there is no program '{options.program[0]}'", 2)
        self.executable = os.path.realpath(found)
        self.name = self.label = os.path.basename(options.program[0])
        self.seconds, self.arguments = options.seconds, [found, *options.program[1:]]
        self.folder = tempfile.mkdtemp(prefix="corinth-perf-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.number = os.path.join(self.folder, "process")

    def command(self, events=None):
        need("timeout", "coreutils")
        # The shell says which process it becomes.
        return ["timeout", "--foreground", "-k", "5", str(self.seconds), "sh", "-c", 'echo $$ >"$0" && exec "$@"', self.number,
                *self.arguments]

    def launch(self, tracer, events=None):
        return [*tracer, *self.command()]

    def run(self, text, seconds):
        try:
            with open(self.number) as file:
                return OwnRun(self.name, int(file.read()), min(seconds, self.seconds))
        except (OSError, ValueError):
            raise Fault(f"{self.name} didn't start: {last_line(text)}")


class Process:
    """A running process."""

    def __init__(self, options):
        self.number, self.seconds = options.pid, options.seconds
        if not os.path.isdir(f"/proc/{self.number}"):
            raise Fault(f"there is no process {self.number}", 2)
        try:
            self.executable = os.path.realpath(f"/proc/{self.number}/exe", strict=True)
        except OSError as error:
            raise Fault(f"process {self.number} can't be looked at: {error.strerror}; run this as its user, or as root")
        self.name = self.label = f"{os.path.basename(self.executable)}-{self.number}"

    def launch(self, tracer, events=None):
        """Makes perf and strace look at the process, for a time. What traces all processors sees it anyway."""
        if tracer[0] == "strace":
            return ["timeout", "-s", "INT", str(self.seconds), *tracer, "-p", str(self.number)]
        rest = tracer[:-1] if "-a" in tracer else [*tracer[:-1], "-p", str(self.number)]
        return [*rest, "--", "sleep", str(self.seconds)]

    def run(self, text, seconds):
        # The tool takes longer: it starts before, and writes afterwards.
        return OwnRun(self.name, self.number, min(seconds, self.seconds))


def subject(options, flavour=None):
    """Returns what the command line names: a scenario, a program, or a process."""
    if options.pid:
        return Process(options)
    return Program(options) if options.program else Scenario(options, flavour or "lockfree")


class Run:
    """The results that a run of a scenario printed."""

    # What figures are divided by, and of what.
    unit, per = "event", "per event"

    def __init__(self, text):
        said = re.search(r"^scenario=(\S+) build=(\S+) process=(\d+) events=(\d+) nanoseconds=(\d+)$", text, re.M)
        if not said:
            raise Fault(f"the scenario didn't run to its end: {last_line(text)}")
        self.title = f"{said[1]}, {said[2]}"
        self.process, self.events, self.nanoseconds = int(said[3]), int(said[4]), int(said[5])

    def __str__(self):
        return (f"{self.title}: {grouped(self.events)} events in {self.nanoseconds / 1e9:.2f} s, "
                f"{self.nanoseconds / self.events:.1f} ns each")


class OwnRun:
    """A run of a program that doesn't say how many events it had. Figures are per second."""

    unit, per = "s", "per second"

    def __init__(self, name, process, seconds):
        self.title, self.process = name, process
        self.events, self.nanoseconds = seconds, seconds * 1e9

    def __str__(self):
        return f"{self.title}, process {self.process}: {self.events:.2f} s"


class Progress:
    """A line on standard error that is overwritten, with the elapsed time. Nothing is written if that is no terminal.

    `estimate` is how many seconds it will take, if that is known, and `limit` after how many it is ended.
    """

    def __init__(self, what, limit=None, estimate=None):
        self.what, self.limit, self.estimate = what, limit, estimate

    def most(self, seconds):
        if self.estimate and seconds <= self.estimate:
            return f" of about {max(1, round(self.estimate))} s"
        return f" of at most {self.limit} s" if self.limit else " s"

    def show(self, seconds):
        if sys.stderr.isatty():
            most = self.most(seconds)
            sys.stderr.write(f"\r\033[K{tool()}: {self.what}… {seconds:.0f}{most}"[:shutil.get_terminal_size().columns + 3])
            sys.stderr.flush()

    def clear(self):
        if sys.stderr.isatty():
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def under(tracer, subject, events=None, what="running", estimate=None):
    """Runs a scenario or a program under a tool, or lets the tool look at a process. Returns the results and the tool's output.

    `estimate` is how many seconds that will take. It is known if the scenario runs for a time.
    """
    process = subprocess.Popen(subject.launch(tracer, events), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    begun = time.monotonic()
    progress = Progress(what, estimate=estimate or (None if events else subject.seconds))
    while True:
        try:
            out, errors = process.communicate(timeout=0.5)
            break
        except subprocess.TimeoutExpired:
            progress.show(time.monotonic() - begun)
    progress.clear()
    seconds = time.monotonic() - begun
    # A program of the user may end as it likes, and is ended after its time.
    if process.returncode != 0 and (isinstance(subject, Scenario) or is_refused(errors + out)):
        raise Fault(refusal(tracer, errors + out))
    return subject.run(out + errors, seconds), errors


REFUSED = r"Operation not permitted|Permission denied|[Nn]o permission|not have permission|Access to perf"


def is_refused(text):
    return re.search(REFUSED, text) is not None


def refusal(tracer, text):
    """Returns one line that describes a tool's failure."""
    if is_refused(text):
        return (f"the kernel, or this container, forbids `{' '.join(tracer[:2])}`: kernel.perf_event_paranoid is "
                f"{paranoia()}; run this as root, or as root: sysctl kernel.perf_event_paranoid=1")
    return f"`{' '.join(tracer[:2])}` failed: {last_line(text)}"


# MARK: Sampling


def record(subject, output):
    """Samples stacks into the file `output`, and returns the run."""
    need_perf()
    event = "cycles" if has_event("cycles") else "cpu-clock"
    if event == "cpu-clock":
        say("no hardware counters here: samples are taken by the clock")
    # Other users than root see no frames of the kernel.
    if os.geteuid() != 0 and paranoia() > 1:
        event += ":u"
    # Without -N, perf keeps a copy of every executable that it has sampled.
    tracer = ["perf", "record", "-q", "-N", "-e", event, "-F", str(FREQUENCY), "--call-graph", "fp", "-o", output, "--"]
    run, printed = under(tracer, subject)
    if not os.path.exists(output) or os.path.getsize(output) == 0:
        raise Fault(f"perf recorded nothing: {last_line(printed)}")
    return run


def script(data, fields, *more):
    """Yields the lines of `perf script`."""
    done = subprocess.Popen(["perf", "script", "--no-inline", "--ns", "-F", fields, "-i", data, *more],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    yield from done.stdout
    trouble = done.stderr.read()
    if done.wait() != 0:
        raise Fault(f"`perf script` failed: {last_line(trouble)}")


class Scratch:
    """A temporary folder for recordings."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="corinth-perf-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)


# MARK: Writing and printing


def need_writable(path):
    """Checks that a file can be written, before the scenario runs."""
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Fault(f"can't write {path}: it is a folder", 2)
    if not os.path.isdir(folder):
        raise Fault(f"can't write {path}: the folder {folder} doesn't exist", 2)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise Fault(f"can't write {path}: permission denied", 2)


def write(path, text):
    """Writes a file as a whole or not at all, so that a full disk leaves no part of it. A pipe or a device is written as it is."""
    is_file = os.path.isfile(path) or not os.path.exists(path)
    part = f"{path}.part" if is_file else path
    try:
        with open(part, "w") as file:
            file.write(text)
        if is_file:
            os.replace(part, path)
    except OSError as error:
        if is_file and os.path.exists(part):
            os.remove(part)
        raise Fault(f"can't write {path}: {error.strerror}")


def grouped(number):
    return f"{number:,}"


def table(rows, left=1):
    """Prints rows as a table. The first `left` columns are left-aligned, the others right-aligned."""
    for line in aligned(rows, left):
        print(line)


def aligned(rows, left=1):
    """Returns the lines of a table."""
    lines = []
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [str(cell).ljust(width) if column < left else str(cell).rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return lines


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        # What is rounded to 1,000 of a unit is 1 of the next one.
        if nanoseconds >= 0.9995 * size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def percentile(numbers, percent):
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
