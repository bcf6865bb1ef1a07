# For Tests/run and Tests/soak: runs a command in its own session. The command and all processes that it has started are
# killed when the command takes too long, when a test hangs, or when the script is interrupted. Only Linux shows sessions to
# a script. On other systems, the command runs without a limit.
#
# A signal to the command is not enough: `swift test` runs the tests in a separate process group, and each exit test is a
# separate process.

# Why the last command was stopped; empty if it ended by itself.
stopped=

# The current session, identified by its first process; empty if there is none.
session=

has_sessions() { command -v setsid >/dev/null && [[ -r /proc/self/stat ]]; }

# members SESSION…: prints the processes of these sessions and of sessions started in them, each with its session.
members() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v begun="$*" '
        BEGIN {
            count = split(begun, ids, " ")
            for (i = 1; i <= count; i++) sessions[ids[i]]
        }
        # PID (NAME) STATE PARENT GROUP SESSION …; the name may have spaces and parentheses.
        {
            pid = $1
            sub(/^.*\) /, "")
            if ($1 != "Z") {
                parent[pid] = $2
                session[pid] = $4
            }
        }
        END {
            do {
                more = 0
                for (pid in parent) {
                    if ((pid in found) || !((session[pid] in sessions) || (parent[pid] in found))) continue
                    found[pid]
                    sessions[session[pid]]
                    more = 1
                }
            } while (more)
            for (pid in found) print pid, session[pid]
        }'
}

# end_session: kills the remaining processes of the session. The command itself gets two seconds to end after the others:
# `swift test` uses that time to write the tests' results.
end_session() {
    local sessions=$session round pid of left
    [[ -n $session ]] || return 0
    for ((round = 0; round < 100; round++)); do
        left=0
        while read -r pid of; do
            left=1
            [[ " $sessions " == *" $of "* ]] || sessions="$sessions $of"
            if ((round >= 20)) || [[ $pid != "$session" ]]; then kill -KILL "$pid"; fi
        done < <(members "$sessions")
        ((left)) || break
        sleep 0.1
    done 2>/dev/null
    session=
}

# test_at EVENTS: prints the current test, according to the file of events that Swift Testing writes.
test_at() {
    local last started name place
    last=$(grep -E '"kind":"(run|test|testCase)(Started|Ended)"' "$1" | tail -n 1)
    started=$(grep -E '"kind":"test(Case)?Started"' "$1" | tail -n 1)
    name=$(sed -nE 's/.*"text":"(([^"\\]|\\.)*) started\.".*/\1/p' <<<"$started" | sed -E 's/\\(.)/\1/g')
    place=$(sed -nE 's/.*"testID":"[^"]*\/([^"\/]*:[0-9]+):[0-9]+".*/\1/p' <<<"$started")
    [[ $last == "$started" ]] || printf 'after '
    printf '%s%s' "${name:-the start}" "${place:+ ($place)}"
}

# limited LOG SECONDS COMMAND…: runs the command for at most SECONDS and writes its output to the log. Returns 124 if the
# command was stopped, and sets `stopped` to the reason.
#
# If `events` is set, Swift Testing writes its events to that file. The command is then also stopped if the file has no new
# event for `test_seconds`, because the current test hangs.
limited() {
    local log=$1 seconds=$2 begun=$SECONDS since=$SECONDS size=0 now first status
    shift 2
    stopped=
    if ! has_sessions; then
        "$@" >"$log" 2>&1 </dev/null
        return
    fi
    if [[ -n ${events-} ]]; then rm -f "$events"; fi
    # A background process of a shell ignores interruptions by default.
    (trap - INT QUIT && exec setsid "$@" >"$log" 2>&1 </dev/null 9>&-) &
    first=$!
    session=$first
    # The redirection hides the shell's messages about killed processes.
    {
        while kill -0 "$first"; do
            sleep 0.2
            if ((SECONDS - begun >= seconds)); then
                stopped="stopped after $seconds s"
                if [[ -s ${events-} ]]; then stopped="$stopped, at: $(test_at "$events")"; fi
            elif [[ -s ${events-} ]]; then
                now=$(wc -c <"$events")
                if ((now != size)); then
                    size=$now
                    since=$SECONDS
                elif ((SECONDS - since >= test_seconds)); then
                    stopped="stopped, because no test began or ended for $test_seconds s: $(test_at "$events")"
                fi
            fi
            [[ -z $stopped ]] || end_session
        done
        wait "$first"
        status=$?
        # Kill the processes that the command has left behind, too.
        end_session
    } 2>/dev/null
    [[ -z $stopped ]] || status=124
    return "$status"
}

# on_interruption COMMAND: installs signal handlers. On a signal, they kill the command that `limited` runs, run COMMAND, and
# end the script by the same signal.
on_interruption() {
    local signal
    # The handlers write to this copy of standard error, even while the original is redirected.
    exec 9>&2
    for signal in HUP INT TERM; do
        # shellcheck disable=SC2064 # Both are expanded now, on purpose.
        trap "end_session; $1 >&9; trap - $signal; kill -$signal \$\$" "$signal"
    done
}
