# For Tests/run: steps that build and run tests, and count them. They use `limited` of limits.bash.
#
# The script sets `here`, `root`, `builds`, the folder for builds, and `stress`, the seconds of the long stress tests.

passed=0
failed=0
skipped=()
failedSteps=()
step=
# The package of a step's tests, and the folder of its build (default: the step's own).
package=$root
build=

# number NAME VALUE: checks the value of an environment variable.
number() {
    [[ $2 =~ ^[1-9][0-9]*$ ]] || {
        printf "%s: %s is a number of seconds above 0, not '%s'\n" "$program" "$1" "$2" >&2
        exit 2
    }
}

# begin_steps PROGRAM: checks the settings, and makes the folders.
begin_steps() {
    program=$1
    # A step that hangs is stopped, and has failed.
    step_seconds=${CORINTH_STEP_SECONDS:-1800}
    number CORINTH_STEP_SECONDS "$step_seconds"
    number CORINTH_TEST_SECONDS "${CORINTH_TEST_SECONDS:-120}"
    on_interruption "printf '$program: interrupted in the step %s\n' \"\$step\""
    if ! { mkdir -p "$builds/logs" && [[ -w $builds/logs ]]; } 2>/dev/null; then
        echo "$program: can't write to '$builds'; --build-dir DIRECTORY names another folder for the builds" >&2
        exit 1
    fi
    builds=$(cd "$builds" && pwd)
    logs=$builds/logs
}

# The linker warns of the symbols of address sanitizer's runtime.
harmless="warning: Cannot export local symbol '__asan_"

# Prints the part of a log that matters most.
excerpt() {
    local first='✘.*recorded an issue|error: |warning: |WARNING: ThreadSanitizer|ERROR: |Fatal error|Program crashed' lines
    # Each grep reads all of its input: one that ends early would stop the one before it, and the pipe would fail.
    lines=$(grep -vE "^(✔|◇|➜)|$harmless" "$1" | grep -E -A 60 "$first" | sed -n '1,100p')
    if [[ -z $lines ]]; then lines=$(tail -n 40 "$1"); fi
    printf '%s\n' "$lines" | sed 's/^/    /' >&2
    echo "    the whole log: ${1#"$root"/}" >&2
}

# fail STEP LOG COUNT: counts failures and shows the log.
fail() {
    failed=$((failed + $3))
    failedSteps+=("$1")
    excerpt "$2"
}

# Prints why the last command was stopped, if it was.
say_stopped() { [[ -z $stopped ]] || printf '    %s\n' "$stopped" >&2; }

# Whether `swift test` can write its events to a file.
has_events() { swift test --help-hidden 2>/dev/null | grep -e --event-stream-output-path >/dev/null; }

# build_tests STEP LOG FLAG…: builds the tests and what they need. `swift test` would build everything else in the package, too:
# in an optimised build, a third of the time.
build_tests() {
    local step=$1 log=$2 flags=()
    shift 2
    while (($# > 0)); do
        case $1 in
        --filter | --skip) shift ;;
        --disable-xctest) ;;
        *) flags+=("$1") ;;
        esac
        shift
    done
    limited "$log" "$step_seconds" swift build --package-path "$package" --product corinthPackageTests \
        --scratch-path "${build:-$builds/$step}" --disable-build-manifest-caching ${flags[@]+"${flags[@]}"} || return
    mv "$log" "${log%.log}-build.log"
}

# tests STEP LOG SECONDS FLAG…: builds and runs the tests. The long stress tests run for SECONDS. Packages may share a folder:
# without its flag, SwiftPM takes the plan of the package that was built there last.
tests() {
    local step=$1 log=$2 seconds=$3 events= test_seconds=${CORINTH_TEST_SECONDS:-120}
    local command=(swift test --package-path "$package" --no-parallel --scratch-path "${build:-$builds/$step}"
        --disable-build-manifest-caching)
    shift 3
    if [[ $step == accesses || $step == exploration && ${CORINTH_EXPLORE-} == full ]]; then
        local step_seconds=$((step_seconds * 4))
    elif [[ $step == release-all ]]; then
        # The compiler alone has taken more than twenty minutes for all tests, beside another step.
        local step_seconds=$((step_seconds * 2))
    fi
    if [[ $package == "$root" && " $* " != *" --skip-build "* ]]; then
        build_tests "$step" "$log" "$@" || return
        command+=(--skip-build)
    fi
    if [[ -n ${CORINTH_SANITIZED-} ]]; then test_seconds=$((test_seconds * 4)); fi
    # A scenario that is explored may take minutes, in which no test ends, and several times as many with all accesses recorded.
    if [[ $step == @(exploration|accesses) ]]; then test_seconds=$((test_seconds * 4)); fi
    if [[ $step == accesses ]]; then test_seconds=$((test_seconds * 4)); fi
    if [[ $step == @(exploration|accesses) && ${CORINTH_EXPLORE-} == full ]]; then test_seconds=$((test_seconds * 4)); fi
    test_seconds=$((test_seconds + 2 * $(printf '%.0f' "$seconds")))
    if has_sessions && has_events; then
        events=${log%.log}.events
        command+=(--event-stream-output-path "$events")
    fi
    CORINTH_STRESS_SECONDS=$seconds limited "$log" "$step_seconds" "${command[@]}" "$@"
}

# test_step STEP SECONDS FLAG…: builds and runs the tests, and counts them.
test_step() {
    local step=$1 log=$logs/$1.log status total bad
    # A build that fails leaves no events; those of an earlier run would name a test.
    rm -f "$logs/$step.events"
    tests "$step" "$log" "${@:2}"
    status=$?
    say_stopped
    total=$(sed -nE 's/.*Test run with ([0-9]+) tests? .*/\1/p' "$log" | tail -n 1)
    if [[ -z $total && -z $stopped && -s $logs/$step.events ]]; then
        echo "    the process ended before the tests did: $(test_at "$logs/$step.events")" >&2
    fi
    if grep -q 'CHECK failed: sanitizer_deadlock_detector' "$log"; then
        echo "    a thread holds more than the 128 locks that thread sanitizer supports: a test must use Nesting.deep" >&2
    fi
    bad=$(grep -cE '✘ Test .* failed after' "$log")
    if [[ -n $total ]] && grep -qE '✘ Test run with' "$log"; then bad=$((bad - 1)); fi
    total=${total:-0}
    ((bad <= total)) || bad=$total
    passed=$((passed + total - bad))
    if ((status != 0 || total == 0)); then
        # A crash, a race, or a build that failed is a failure too, even if no test reports it.
        fail "$step" "$log" $((bad > 0 ? bad : 1))
        return 1
    fi
    for log in "${log%.log}-build.log" "$log"; do
        if [[ -e $log ]] && grep -E '^/.*: warning: ' "$log" | grep -v "$harmless" >/dev/null; then
            fail "$step" "$log" 1
            return 1
        fi
    done
    printf '    %s passed\n' "$total"
}

shorter() { awk -v seconds="$stress" 'BEGIN { print seconds < 2 ? seconds / 2 : seconds / 4 }'; }

# Tests of scaling don't find races, and take minutes under a sanitizer.
unscaled=(--skip JoinScalingTests --skip RecursionTests)

# What thread sanitizer can't see: the file says why.
export TSAN_OPTIONS="suppressions=$here/thread-sanitizer.suppressions${TSAN_OPTIONS:+:$TSAN_OPTIONS}"

# runtime NAME: prints the path of a runtime library of the toolchain's sanitizers, if it has it.
runtime() {
    find "$(dirname "$(readlink -f "$(command -v swift)")")/../lib/clang" -name "libclang_rt.$1-$(uname -m).a" 2>/dev/null |
        head -n 1
}

# sanitized STEP SANITIZER FLAG…: builds the tests with a sanitizer: thread or address. It must report each seeded
# fault; otherwise it finds none at all. Then all tests run.
sanitized() {
    local step=$1 sanitizer=$2 fault faults log
    local flags=("${@:3}")
    local -x CORINTH_SANITIZED=1 CORINTH_TESTS=${CORINTH_TESTS:-all}
    case $sanitizer in
    thread)
        flags+=(--sanitize=thread)
        faults=(race)
        ;;
    address)
        # XCTest, which has no tests here, keeps its suite until the process ends.
        # Swift has the sanitizer of undefined behaviour on Darwin only. C code has it everywhere, also the functions that Swift
        # inlines. The runtime of address sanitizer has its reports, too.
        flags+=(--sanitize=address --disable-xctest -Xcc -fsanitize=undefined)
        faults=(use leak overflow alignment)
        local -x ASAN_OPTIONS=detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
        local -x UBSAN_OPTIONS=halt_on_error=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
        ;;
    esac
    for fault in "${faults[@]}"; do
        log=$logs/$step-seeded-$fault.log
        # The first of these runs builds.
        if ! CORINTH_SEEDED_FAULT=$fault tests "$step" "$log" 0 "${flags[@]}" --filter SeededFaultTests &&
            grep -qE "$(report_of "$fault")" "$log"; then
            passed=$((passed + 1))
            echo "    the seeded fault is reported: $fault"
        else
            say_stopped
            echo "    $sanitizer sanitizer doesn't report the seeded fault, so it finds none at all: $fault" >&2
            fail "$step" "$log" 1
            return 1
        fi
    done
    test_step "$step" "$(shorter)" --skip-build "${flags[@]}" "${unscaled[@]}"
}

# What a sanitizer prints about a seeded fault.
report_of() {
    case $1 in
    race) echo 'WARNING: ThreadSanitizer: .*race' ;;
    use) echo 'ERROR: AddressSanitizer: heap-use-after-free' ;;
    leak) echo 'ERROR: LeakSanitizer: detected memory leaks' ;;
    overflow) echo 'runtime error: signed integer overflow' ;;
    alignment) echo 'runtime error: load of misaligned address' ;;
    esac
}

realtime() {
    local log=$logs/realtime-build.log library binary offence
    library=$(runtime rtsan)
    if [[ -z $library ]]; then
        echo "    skipped: this toolchain has no RealtimeSanitizer (libclang_rt.rtsan-$(uname -m).a)"
        skipped+=(realtime)
        return
    fi
    local build=(swift build --package-path "$here/Realtime" --scratch-path "${optimised:-$builds/realtime}" -c release
        --disable-build-manifest-caching
        -Xlinker --whole-archive -Xlinker "$library" -Xlinker --no-whole-archive)
    if ! limited "$log" "$step_seconds" "${build[@]}"; then
        say_stopped
        fail realtime "$log" 1
        return
    fi
    binary=$("${build[@]}" --show-bin-path)/Realtime
    # The proof must be able to fail: an observer that allocates, queues or locks is reported, and so is a thread that takes a bias.
    for offence in allocate queue lock bias; do
        if ! limited "$logs/realtime-$offence.log" "$step_seconds" "$binary" "$offence" &&
            grep -q 'RealtimeSanitizer: unsafe-library-call' "$logs/realtime-$offence.log"; then
            passed=$((passed + 1))
        else
            echo "    RealtimeSanitizer doesn't report an observer that does this: $offence" >&2
            fail realtime "$logs/realtime-$offence.log" 1
        fi
    done
    log=$logs/realtime.log
    if limited "$log" "$step_seconds" "$binary"; then
        passed=$((passed + $(sed -nE 's/^([0-9]+) uses? .*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 1 }')))
        grep -v '^by design, ' "$log" | sed 's/^/    /'
    else
        say_stopped
        fail realtime "$log" 1
    fi
}
