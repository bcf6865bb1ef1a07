# For Tests/run and Tests/soak: runs a command in a session of its own, and ends it with all that it has started when it
# takes too long, when a test hangs, or when the script is interrupted. Where the system has no sessions that a script can
# see, which is anywhere but on Linux, the command runs without a limit.
#
# A signal to the command is not enough: `swift test` puts the tests into a process group of their own, and an exit test is
# one more process.

# Why the last command was stopped; empty if it ended by itself.
stopped=

# The session that runs now, which has the id of its first process; empty if there is none.
session=

has_sessions() { command -v setsid >/dev/null && [[ -r /proc/self/stat ]]; }

# members SESSION…: the processes of these sessions and of those that were begun in them, each with its session.
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

# end_session: ends whatever is left of the session. The command itself has two seconds to end when the others are gone:
# `swift test` writes down in that time what the tests have told it.
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

# test_at EVENTS: what Swift Testing was at, of which it has written its events.
test_at() {
    local last started name place
    last=$(grep -E '"kind":"(run|test|testCase)(Started|Ended)"' "$1" | tail -n 1)
    started=$(grep -E '"kind":"test(Case)?Started"' "$1" | tail -n 1)
    name=$(sed -nE 's/.*"text":"(([^"\\]|\\.)*) started\.".*/\1/p' <<<"$started" | sed -E 's/\\(.)/\1/g')
    place=$(sed -nE 's/.*"testID":"[^"]*\/([^"\/]*:[0-9]+):[0-9]+".*/\1/p' <<<"$started")
    [[ $last == "$started" ]] || printf 'after '
    printf '%s%s' "${name:-the start}" "${place:+ ($place)}"
}

# limited LOG SECONDS COMMAND…: runs the command, which may take so many seconds, and writes what it prints to the log.
# Returns 124 if it was stopped, and says why in `stopped`.
#
# `events` is the file that Swift Testing writes its events to, if it does: then it is stopped, too, if there is no new one
# for `test_seconds`, since the test that it is at hangs.
limited() {
    local log=$1 seconds=$2 begun=$SECONDS since=$SECONDS size=0 now first status
    shift 2
    stopped=
    if ! has_sessions; then
        "$@" >"$log" 2>&1 </dev/null
        return
    fi
    if [[ -n ${events-} ]]; then rm -f "$events"; fi
    # What a shell has run behind it ignores interruptions, unless told otherwise.
    (trap - INT QUIT && exec setsid "$@" >"$log" 2>&1 </dev/null 9>&-) &
    first=$!
    session=$first
    # Without what the shell says of a process that is killed.
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
                    stopped="stopped, since nothing has ended for $test_seconds s: $(test_at "$events")"
                fi
            fi
            [[ -z $stopped ]] || end_session
        done
        wait "$first"
        status=$?
        # What it has left behind, too.
        end_session
    } 2>/dev/null
    [[ -z $stopped ]] || status=124
    return "$status"
}

# on_interruption COMMAND: sees to it that a signal ends what `limited` runs, runs the command, and ends the script as the
# signal would have.
on_interruption() {
    local signal
    # Wherever the signal finds the script, there is somewhere to write to.
    exec 9>&2
    for signal in HUP INT TERM; do
        # shellcheck disable=SC2064 # Both are known now.
        trap "end_session; $1 >&9; trap - $signal; kill -$signal \$\$" "$signal"
    done
}
