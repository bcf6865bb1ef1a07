/*
 * The strand: threads that enter, queue and leave, hand-over and adoption, ends, edits, and drains that stop.
 *
 * All operations on words take place in one order here. What happens when a store is delayed, bias.pml models.
 *
 * The layout of the word is that of StrandWord, with fewer bits:
 *
 *      7 … 4    2      1        0
 *     | node | kept | edited | owned |
 *
 * run senders: SENDERS=2 EVENTS=2
 * run mixed: SENDERS=1 EVENTS=1 ENDS=1 EDITS=1
 * run stops: SENDERS=2 EVENTS=1 STOPS=1
 * run task: SENDERS=2 EVENTS=1 TASK=1
 * full three: SENDERS=3 EVENTS=1
 */

#ifndef ENDS
#define ENDS 0
#endif
#ifndef EDITS
#define EDITS 0
#endif
#ifndef STOPS
#define STOPS 0
#endif

/* Whether thread 1 runs a task, which stops the strand if its own event has exceeded a bound. Another thread cancels the task. */
#ifndef TASK
#define TASK 0
#endif

/* How many nodes of others an owner runs: Strand.helpingBound. The time is up after any of them. */
#define BOUND 2

/* The nodes: those of the senders, of the thread that ends, and of the thread that edits, and the one that is sent from inside
   the callback of node 1. */
#define SENT (SENDERS * EVENTS)
#define NESTED (SENT + ENDS + EDITS + 1)

/* Whether the list keeps the strand's object for a node: for events. */
#define IS_KEPT_BY_LIST(node) ((node) <= SENT || (node) == NESTED)

#define OWNED 1
#define EDITED 2
#define KEPT 4
#define FLAGS 7
#define NODE(w) ((w) >> 4)

/* The values of OrphanWord. */
#define HANDED_OVER 1
#define FOR_ALL 2

byte word = 0;
byte orphan = 0;

/* Owned by the strand's owner: the nodes taken and not run. */
byte taken = 0;
byte next[NESTED + 1];
bool keeper = false;

/* The references to the object whose strand it is: each sender has one until it has sent its last event, and so has a list with
   events. */
byte references = SENDERS;

/* The thread that has pushed a node. */
byte sender[NESTED + 1];

/* What waits for a thread: work of workers, and a stopped drain. */
byte tasks = 0;
bool stopped = false;
byte stops = STOPS;

/* A task that has stopped the strand: whether it is in the queue of permits, whether it is suspended, whether nobody has begun
   to resume it, how often it was resumed, and whether it was cancelled. The flag of the graph guards the third and the last. */
bool taskStopped = false;
bool taskWaits = false;
bool hasResumption = false;
byte resumed = 0;
bool isCancelled = false;

/* What is checked. */
bool busy = false;
byte ran = 0;
bool hasRun[NESTED + 1];

/* Whether every event that the same thread has sent before this one was delivered. */
#define IN_ORDER(node) ((node) > SENT || ((node) - 1) % EVENTS == 0 || hasRun[(node) - 1])

/* The callback of an event, or the change of an edit, begins. Only one thread may be in one. */
inline begin(node) {
    assert(!busy);
    assert(!hasRun[node]);
    assert(IN_ORDER(node));
    assert(!IS_KEPT_BY_LIST(node) || references > 0);
    busy = true;
    hasRun[node] = true;
    ran++
}

/* The callback of node 1 sends an event. */
inline finish(node) {
    if
    :: node == 1 ->
        sender[NESTED] = token;
        place(NESTED, isOwner);
        assert(!isOwner)
    :: else
    fi;
    busy = false
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: enter()
   code: Sources/Corinth/Engine/Strand/Strand.swift: tryEnterWithoutBias()
   bug ENTER_BY_STORE in senders: assertion violated: a thread that has seen an idle strand takes it by a store */
inline tryEnter(result) {
#ifdef ENTER_BY_STORE
    seen = word;
    if
    :: seen == 0 ->
        word = OWNED;
        result = true
    :: else -> result = false
    fi
#else
    atomic {
        if
        :: word == 0 ->
            word = OWNED;
            result = true
        :: else -> result = false
        fi
    }
#endif
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: tryRelease(_:as:bias:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: leaveWithoutBias(_:)
   bug LEAVE_BY_STORE in senders: assertion violated: the strand is released by a store */
inline tryRelease(expected, result) {
#ifdef LEAVE_BY_STORE
    seen = word;
    if
    :: seen == (expected) ->
        word = 0;
        result = true
    :: else -> result = false
    fi
#else
    atomic {
        if
        :: word == (expected) ->
            word = 0;
            result = true
        :: else -> result = false
        fi
    }
#endif
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: push(_:by:)
   code: Sources/Corinth/Engine/Strand/StrandWord.swift: arriving(with:keeps:)
   A compare-exchange that fails changes nothing, and neither does a spin: so the loop is one step.
   bug PUSH_BY_STORE in senders: acceptance cycle: a node is pushed by a load and a store
   bug KEEP_FIRST in mixed: assertion violated: a list that isn't empty counts as one that has a reference to the object */
inline place(node, result) {
#ifdef PUSH_BY_STORE
    seen = word;
    atomic {
#else
    atomic {
        seen = word;
#endif
        if
        :: seen & OWNED ->
            next[node] = NODE(seen);
            word = node << 4 | (seen & FLAGS);
#ifdef KEEP_FIRST
            if
            :: IS_KEPT_BY_LIST(node) && NODE(seen) == 0 ->
#else
            if
            :: IS_KEPT_BY_LIST(node) && !(seen & KEPT) ->
#endif
                references++;
                word = word | KEPT
            :: else
            fi;
            result = false
        :: else ->
            word = OWNED;
            result = true
        fi;
        seen = 0
    }
}

/* code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: takeAll(into:)
   code: Sources/Corinth/Engine/Strand/StrandWord.swift: departing()
   bug TAKE_BY_STORE in senders: acceptance cycle: the list is taken by a load and a store
   bug NEWEST_FIRST in senders: assertion violated: the list isn't reversed */
inline takeAll() {
#ifdef TAKE_BY_STORE
    seen = word;
    word = OWNED;
#else
    atomic {
        seen = word;
        word = OWNED
    }
#endif
    atomic {
        assert(taken == 0 && !keeper);
        rest = NODE(seen);
        keeper = (seen & KEPT) > 0;
#ifdef NEWEST_FIRST
        taken = rest;
#else
        do
        :: rest > 0 ->
            node = next[rest];
            next[rest] = taken;
            taken = rest;
            rest = node
        :: else -> break
        od;
#endif
        seen = 0;
        rest = 0;
        node = 0
    }
}

/* code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: releaseKeeper(in:)
   bug KEEP_BRIEFLY in senders: assertion violated: a drain releases the object when the first of its events has run */
inline releaseKeeper() {
    atomic {
        references = references - keeper;
        keeper = false
    }
}

/* code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: nextTaken(in:)
   code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: nextSender(in:)
   Each event is a node here, also those that the code adds to a burst. */
inline takeNext() {
    node = taken;
    taken = next[node];
    next[node] = 0
}

/* code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: abandon(_:as:) */
inline abandon(as) {
    atomic {
        assert(orphan == 0);
        orphan = as
    }
}

/* code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: submit(_:as:)
   code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: handOver(_:)
   code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: offer(_:)
   What happens if there is no thread for a worker, StrandExplorationTests explores.
   bug NO_WORKER in senders: acceptance cycle: no worker is told of the orphan */
inline submit(as) {
    abandon(as);
#ifndef NO_WORKER
    tasks++
#endif
}

/* code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: tryAdopt()
   code: Sources/Corinth/Engine/Strand/OrphanWord.swift: adopting()
   bug ADOPT_BY_STORE in senders: assertion violated: the orphan is adopted by a load and a store */
inline tryAdopt(result) {
#ifdef ADOPT_BY_STORE
    seen = orphan;
    if
    :: seen > 0 ->
        orphan = 0;
        result = true
    :: else -> result = false
    fi
#else
    atomic {
        if
        :: orphan > 0 ->
            orphan = 0;
            result = true
        :: else -> result = false
        fi
    }
#endif
}

/* code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: drain(_:as:)
   code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: HelpingBound.isReached()
   code: Sources/Corinth/Engine/Waiting/DeferredWait.swift: DeferredWaits.stop(_:owning:holdsValue:)
   Whether a callback exceeds a bound, so that the drain has to stop, is left open; so is whether threads wait for permits, for
   which a thread that has nothing else to do goes on past its bound. permits.pml models both.
   bug HAND_OVER_IDLE in senders: acceptance cycle: the strand isn't owned while it is handed over
   bug STOP_QUIETLY in stops: acceptance cycle: a drain that has stopped isn't resumed */
inline drain(forOthers, alone) {
    count = helped;
    do
    :: atomic { taken != 0 && stops > 0 && ((forOthers) || sender[taken] != token) ->
            /* Its own nodes have exceeded a bound, and the next one isn't its own. */
            stop();
            break
        }
    :: atomic { taken != 0 ->
            takeNext();
            begin(node)
        }
        finish(node);
#ifdef KEEP_BRIEFLY
        releaseKeeper();
#endif
        if
        :: atomic { stops > 0 && ((forOthers) || sender[node] != token) ->
                stop();
                break
            }
        :: sender[node] != token && (count + 1 < BOUND || (alone)) -> count++
        :: sender[node] != token ->
            handsOver = true;
            break
        :: sender[node] == token
        fi
    :: taken == 0 ->
        releaseKeeper();
        tryRelease(OWNED, isOwner);
        if
        :: isOwner -> break
        :: else -> takeAll()
        fi
    od;
    if
    :: handsOver ->
#ifdef HAND_OVER_IDLE
        word = 0;
#endif
        submit(HANDED_OVER)
    :: else
    fi;
    atomic {
        helped = ((forOthers) && !(alone) -> count : helped);
        count = 0;
        node = 0;
        handsOver = false;
        isOwner = false
    }
}

inline stop() {
#ifndef STOP_QUIETLY
    stopped = true;
#endif
    stops--
}

/* code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: drain(_:as:)
   bug OWN_QUIETLY in mixed: acceptance cycle: a thread that ends something leaves the nodes of others to nobody
   bug OWN_RUNS_ALL in mixed: assertion violated (sender[taken]==token): a thread that ends something runs the nodes of others */
inline drainOwn() {
    do
    :: taken != 0 ->
#ifndef OWN_RUNS_ALL
        if
        :: sender[taken] != token ->
#ifndef OWN_QUIETLY
            submit(FOR_ALL);
#endif
            break
        :: else
        fi;
#endif
        atomic {
            assert(sender[taken] == token);
            takeNext();
            begin(node)
        }
        finish(node)
    :: taken == 0 ->
        releaseKeeper();
        tryRelease(OWNED, isOwner);
        if
        :: isOwner -> break
        :: else -> takeAll()
        fi
    od
}

/* code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: resume(_:as:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: adopt() */
inline adopt(isAlone, result) {
    result = false;
    if
    :: (isAlone) || helped < BOUND -> tryAdopt(result)
    :: else
    fi;
    if
    :: result -> drain(true, isAlone)
    :: else
    fi
}

/* A task's own event has exceeded a bound. The strand stops, and the task is suspended.
   code: Sources/Corinth/Engine/Strand/Strand.swift: leaveWithDue(_:suspending:)
   code: Sources/Corinth/Engine/Waiting/StoppingTask.swift: begin(_:)
   code: Sources/Corinth/Engine/Waiting/StoppingTask.swift: finish()
   code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: adoptByTask()
   code: Sources/Corinth/Engine/Waiting/DeferredWait.swift: DeferredWaits.stop(_:)
   code: Sources/Corinth/Engine/Waiting/Permits.swift: stop(_:)
   bug CANCELLED_BEFORE in task: acceptance cycle: a task that was cancelled before isn't resumed */
inline stopTask() {
    atomic {
        hasAdopted = isCancelled;
        hasResumption = !isCancelled;
        taskWaits = true
    }
    taskStopped = true;
#ifndef CANCELLED_BEFORE
    atomic {
        if
        :: hasAdopted -> resumed++
        :: else
        fi
    }
#endif
    atomic {
        resumed > 0 ->
        taskWaits = false
    }
    tryAdopt(hasAdopted);
    if
    :: hasAdopted -> drain(true, false)
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: leave(_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: leaveByBias(_:_:)
   code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: drain(_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: enqueue(_:_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: takeInTurn()
   code: Sources/Corinth/Engine/Strand/Strand.swift: takePermit(of:_:)
   code: Sources/Corinth/Engine/Strand/StrandNode.swift: send(_:to:_:queued:)
   A thread that waits for a permit may adopt the strand: whether it has to wait is left open. */
proctype thread(byte token) {
    byte event = 0, mine, node, rest, seen, before, count, helped;
    bool isOwner, handsOver, hasAdopted;
    do
    :: event < EVENTS ->
        atomic {
            mine = (token - 1) * EVENTS + event + 1;
            sender[mine] = token;
            event++
        }
        tryEnter(isOwner);
        if
        :: !isOwner ->
            if
            :: adopt(false, hasAdopted)
            :: true
            fi;
            place(mine, isOwner)
        :: else
        fi;
        if
        :: isOwner ->
            atomic { begin(mine) };
                finish(mine);
            if
            :: TASK && token == 1 -> stopTask()
            :: drain(false, false)
            fi
        :: else ->
            if
            :: orphan == FOR_ALL -> adopt(false, hasAdopted)
            :: else
            fi
        fi;
        atomic {
            helped = 0;
            mine = 0;
            isOwner = false;
            hasAdopted = false
        }
    :: else ->
        references--;
        break
    od
}

/* A thread that ends something, such as a disposal of a start. It queues with the mode `.atOnce`: it neither waits nor adopts.
   code: Sources/Corinth/Engine/Strand/StrandNode.swift: performAtOnce(on:with:_:orQueueAfter:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: enterAtOnce() */
proctype ender(byte token) {
    byte event = 0, mine, node, rest, seen, before;
    bool isOwner;
    do
    :: event < ENDS ->
        atomic {
            event++;
            mine = SENT + event;
            sender[mine] = token
        }
        tryEnter(isOwner);
        if
        :: !isOwner -> place(mine, isOwner)
        :: else
        fi;
        if
        :: isOwner ->
            atomic { begin(mine) };
                finish(mine);
            drainOwn()
        :: else
        fi;
        atomic {
            mine = 0;
            isOwner = false
        }
    :: else -> break
    od
}

/* A thread that changes observers.
   code: Sources/Corinth/Engine/Strand/Strand.swift: beginEdit()
   code: Sources/Corinth/Engine/Strand/Strand.swift: beginEditWithoutBias()
   code: Sources/Corinth/Engine/Strand/Strand.swift: endEdit(_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: endEditWithoutBias(_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: enqueueEdit(_:)
   bug END_EDIT_QUIETLY in mixed: acceptance cycle: the nodes that were queued during an edit are left to nobody */
proctype editor(byte token) {
    byte event = 0, mine, node, rest, seen, before, count, helped;
    bool isOwner, handsOver;
    do
    :: event < EDITS ->
        atomic {
            event++;
            mine = SENT + ENDS + event;
            sender[mine] = token
        }
        atomic {
            if
            :: word == 0 ->
                word = OWNED | EDITED;
                isOwner = true
            :: else -> isOwner = false
            fi
        }
        if
        :: isOwner ->
            atomic { begin(mine) };
                finish(mine);
            tryRelease(OWNED | EDITED, isOwner);
#ifndef END_EDIT_QUIETLY
            if
            :: !isOwner ->
                word = word & ~EDITED;
                submit(FOR_ALL)
            :: else
            fi
#endif
        :: else ->
            place(mine, isOwner);
            if
            :: isOwner ->
                atomic { begin(mine) };
                finish(mine);
                drain(false, false)
            :: else
            fi
        fi;
        atomic {
            mine = 0;
            isOwner = false
        }
    :: else -> break
    od
}

/* A worker runs the work that was submitted.
   code: Sources/Corinth/Engine/Progress/Worker.swift: Worker.trySubmit(_:) */
proctype worker(byte token) {
    byte node, rest, seen, before, count, helped;
    bool isOwner, handsOver, hasAdopted;
end:
    do
    :: atomic { tasks > 0 -> tasks-- }
        adopt(true, hasAdopted);
        hasAdopted = false
    od
}

/* Permits resume a drain that has stopped.
   code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: stop(_:for:holdsValue:) */
proctype permits() {
    byte before;
end:
    do
    :: stopped ->
        stopped = false;
        submit(HANDED_OVER)
    od
}

/* Permits serve a task that has stopped the strand.
   code: Sources/Corinth/Engine/Waiting/StoppingTask.swift: serve()
   code: Sources/Corinth/Engine/Strand/Strand+Orphans.swift: resume(with:by:)
   The progress thread has a worker adopt the strand if the task comes late.
   code: Sources/Corinth/Engine/Progress/ProgressThread.swift: delay(_:)
   bug NOT_ABANDONED in task: acceptance cycle: the strand isn't abandoned before its task is resumed
   bug BOTH_RESUME in task: assertion violated (resumed==1): permits and the cancellation both resume the task */
proctype server() {
    byte before;
    bool isMine;
end:
    do
    :: taskStopped ->
        taskStopped = false;
#ifdef BOTH_RESUME
        isMine = hasResumption;
        hasResumption = false;
#else
        atomic {
            isMine = hasResumption;
            hasResumption = false
        }
#endif
        if
        :: isMine ->
#ifndef NOT_ABANDONED
            abandon(FOR_ALL);
            tasks++;
#endif
            atomic {
                resumed++;
                assert(resumed == 1)
            }
        :: else -> submit(HANDED_OVER)
        fi;
        isMine = false
    od
}

/* code: Sources/Corinth/Engine/Waiting/StoppingTask.swift: cancel() */
proctype canceller() {
    bool isMine;
    atomic {
        isCancelled = true;
        isMine = hasResumption;
        hasResumption = false
    }
    atomic {
        if
        :: isMine ->
            resumed++;
            assert(resumed == 1)
        :: else
        fi
    }
}

init {
    atomic {
        run thread(1);
#if SENDERS > 1
        run thread(2);
#endif
#if SENDERS > 2
        run thread(3);
#endif
#if ENDS > 0
        run ender(10);
#endif
#if EDITS > 0
        run editor(11);
#endif
#if STOPS > 0
        run permits();
#endif
#if TASK > 0
        run server();
        run canceller();
#endif
        run worker(12)
    }
}

#define QUIET (ran == NESTED && word == 0 && orphan == 0 && !taskWaits && references == 0)
ltl delivers { <> [] QUIET }
