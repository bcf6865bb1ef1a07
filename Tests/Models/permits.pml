/*
 * Permits: threads, tasks and drains that wait for them, in order; close; cancellation; and the graph of waits.
 *
 * The permits p have a capacity and batches of a fixed size; Permits.batch is a quarter of the capacity. Numbers have 8 bits
 * instead of 64, and wrap around in the same way. The checks of the progress thread, which hand out permits that are too few
 * for a batch, come at any time up to a number of times, and whenever nothing else can happen.
 *
 * What only the flag's holder reads and writes needs no step of its own: the steps are those that read or write the words
 * `used` and `limit`, take the flag, or release it. Waiters are woken when it is released: a waiter that is woken later is one
 * that continues later.
 *
 * Leader and followers aren't modelled: the permits of a mailbox and small ones never have them, and
 * LeaderExplorationTests has all interleavings of those that do.
 *
 * run threads: THREADS=2 EVENTS=2 CAPACITY=1
 * run batches: THREADS=2 EVENTS=2 CAPACITY=2 BATCH=2 WATCH=1
 * run closing: THREADS=2 EVENTS=1 CAPACITY=1 CLOSES=1
 * run task: THREADS=1 EVENTS=1 CAPACITY=1 TASKS=1 CLOSES=1
 * run cycle: THREADS=1 EVENTS=1 CAPACITY=1 CYCLE=1
 * run context: THREADS=1 EVENTS=3 CAPACITY=1 CONTEXT=1
 * run reader: THREADS=1 EVENTS=4 CAPACITY=1 READER=1 WATCH=1
 * fair endless: THREADS=2 ENDLESS=1 CAPACITY=1
 * full more: THREADS=1 EVENTS=2 CAPACITY=1 TASKS=1 CLOSES=1
 * full batches_more: THREADS=2 EVENTS=3 CAPACITY=2 BATCH=2 WATCH=1
 */

#ifndef EVENTS
#define EVENTS 1
#endif
#ifndef BATCH
#define BATCH 1
#endif
#ifndef CLOSES
#define CLOSES 0
#endif
#ifndef TASKS
#define TASKS 0
#endif
#ifndef CYCLE
#define CYCLE 0
#endif
#ifndef CONTEXT
#define CONTEXT 0
#endif
#ifndef READER
#define READER 0
#endif
#ifndef ENDLESS
#define ENDLESS 0
#endif
/* Whether there is a progress thread. Without batches, it must not be needed. */
#ifndef WATCH
#define WATCH 0
#endif
#ifndef LOOKS
#define LOOKS 0
#endif

#define MAX 255

/* How many permits may be taken now. */
#define BOUND(p) (CAPACITY + extra[p])

/* A compare-exchange that fails changes nothing, so a look and the exchange are one step; unless the look has an effect. */
#if BATCH > 1 || defined(SERVE_BY_STORE)
#define IN_TWO_STEPS
#endif

/* How often a thread spins before it joins the queue. */
#ifndef SPINS
#define SPINS 0
#endif

/* In the runs cycle, context and reader, the drain of the permits 0 sends to the permits 1. In cycle, the drain of 1 also sends
   to 0. In context, the drain of 1 runs on a scheduler, and so does the last thread. In reader, a task takes what is sent to 1,
   and needs the thread, which runs another task until it has sent all its events. */
#if CYCLE || CONTEXT || READER
#define PERMITS 2
#else
#define PERMITS 1
#endif

/* Waiters: the threads, the task, and the drains. */
#define TASK THREADS
#define DRAIN(p) (THREADS + TASKS + (p))
#define WAITERS (THREADS + TASKS + PERMITS)

/* The words. */
byte used[PERMITS];
byte limit[PERMITS];

/* Guarded by the flag of the graph: the queues, the edges, and the state of a queue's checks. */
bool flag = false;
byte queue[PERMITS * WAITERS];
byte queued[PERMITS];
byte promised[PERMITS];
/* Whether a waiter was served since the last check, and whether permits are handed out singly. How many more are admitted. */
byte extra[PERMITS];
bool hasServed[PERMITS];
bool hurry[PERMITS];
bool watched[PERMITS];
byte blockedOn[PERMITS];
byte contextBlockedOn = 0;
byte taskBlockedOn = 0;

/* The waiters. `own` and `blockedOn` are the number of the permits plus 1. */
bool takesPermit[WAITERS];
bool inContext[WAITERS];
bool runsTask[WAITERS];
byte own[WAITERS];
bool served[WAITERS];
byte granted[WAITERS];

/* Elements that are queued, each with how often it is sent on. */
byte elements[PERMITS * 3];
byte looks = LOOKS;

/* Whether a thread runs the scheduler's context, and whether the task was cancelled. */
bool contextIsBusy = false;
bool isCancelled = false;
bool hasQueue = false;

/* What is checked. */
byte ended = 0;
byte beyond = 0;
bool isClosed = false;
byte resumed = 0;
bool waits[WAITERS];

#define FULL(p) (elements[(p) * 3] + elements[(p) * 3 + 1] + elements[(p) * 3 + 2])

#define ACQUIRE !flag -> flag = true

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: append(_:)
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: Waiter.block(on:in:)
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: ThreadWaiter.block(on:in:)
   code: Sources/Corinth/Engine/Waiting/WaitGraph.swift: blockTask(on:)
   code: Sources/Corinth/Engine/Waiting/TaskWaiter.swift: block(on:in:) */
inline append(p, w) {
    queue[(p) * WAITERS + queued[p]] = w;
    queued[p]++;
    waits[w] = true;
    if
    :: own[w] > 0 -> blockedOn[own[w] - 1] = (p) + 1
    :: else
    fi;
    if
    :: inContext[w] -> contextBlockedOn = (p) + 1
    :: else
    fi;
    if
    :: runsTask[w] -> taskBlockedOn = (p) + 1
    :: else
    fi;
    if
    :: TASKS && w == TASK -> hasQueue = true
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: unlink(_:)
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: Waiter.unblock(in:)
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: ThreadWaiter.unblock(in:)
   code: Sources/Corinth/Engine/Waiting/WaitGraph.swift: unblockTask(on:)
   code: Sources/Corinth/Engine/Waiting/TaskWaiter.swift: unblock(in:) */
inline unlink(p, w) {
    index = 0;
    do
    :: queue[(p) * WAITERS + index] != w -> index++
    :: else -> break
    od;
    do
    :: index + 1 < queued[p] ->
        queue[(p) * WAITERS + index] = queue[(p) * WAITERS + index + 1];
        index++
    :: else -> break
    od;
    queued[p]--;
    queue[(p) * WAITERS + queued[p]] = 0;
    index = 0;
    waits[w] = false;
    if
    :: own[w] > 0 -> blockedOn[own[w] - 1] = 0
    :: else
    fi;
    if
    :: inContext[w] -> contextBlockedOn = 0
    :: else
    fi;
    if
    :: runsTask[w] -> taskBlockedOn = 0
    :: else
    fi;
    if
    :: TASKS && w == TASK -> hasQueue = false
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Waiting/PermitState.swift: raiseLimit()
   bug RAISE_BY_STORE in closing: acceptance cycle: the limit is raised by a store, also of permits that were closed */
inline raiseLimit(p) {
    if
#ifdef RAISE_BY_STORE
    :: queued[p] == 0 -> limit[p] = CAPACITY
#else
    :: queued[p] == 0 && limit[p] == 0 -> limit[p] = CAPACITY
#endif
    :: else
    fi
}

inline serve(p) {
    if
    :: BOUND(p) - count - promised[p] - takesPermit[waiter] < size - 1 ->
        size = (BOUND(p) - count - promised[p] > takesPermit[waiter] -> BOUND(p) - count - promised[p] - takesPermit[waiter] + 1 : 1)
    :: else
    fi;
    hasServed[p] = WATCH;
    granted[waiter] = size - 1;
    promised[p] = promised[p] + size - 1;
    unlink(p, waiter);
    list = list | 1 << waiter
}

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: handOut(_:)
   The waiters that are served are the bits of `list`. They are woken after the flag is released.
   bug SERVE_BY_STORE in threads: acceptance cycle: the permit of a waiter is taken by a load and a store
   bug LIMIT_LEFT in threads: acceptance cycle: the limit isn't raised when the last waiter is served
   bug SERVE_ALL in threads: assertion violated: waiters are served without a look at the number of free permits */
inline handOut(p, all) {
    do
    :: atomic { queued[p] > 0 ->
            waiter = queue[(p) * WAITERS];
            size = (TASKS && waiter == TASK -> 1 : BATCH);
            count = used[p];
            assert(count < 128);
            if
            :: (all) || count <= CAPACITY / 2 -> promised[p] = 0
            :: else
            fi;
#ifndef SERVE_ALL
            if
            :: BOUND(p) - count - promised[p] < takesPermit[waiter] + ((all) || count == 0 -> 0 : size - 1) -> break
            :: else
            fi;
#endif
#ifdef IN_TWO_STEPS
        }
        atomic {
#endif
            if
#ifdef SERVE_BY_STORE
            :: takesPermit[waiter] && used[p] != count ->
                used[p] = count + 1;
                serve(p)
#endif
            :: takesPermit[waiter] && used[p] == count ->
                used[p]++;
                serve(p)
            :: !takesPermit[waiter] -> serve(p)
            :: else
            fi;
            waiter = 0;
            size = 0;
            count = 0
        }
    :: queued[p] == 0 -> break
    od;
    atomic {
        waiter = 0;
        size = 0;
        count = 0;
#ifndef LIMIT_LEFT
        raiseLimit(p)
#endif
    }
}

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: grantAll(_:) */
inline grantAll(p) {
    do
    :: queued[p] > 0 ->
        waiter = queue[(p) * WAITERS];
        unlink(p, waiter);
        list = list | 1 << waiter
    :: else -> break
    od;
    waiter = 0
}

/* code: Sources/Corinth/Engine/Waiting/Waiter.swift: List.wake(but:)
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: ThreadWaiter.serve()
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: DrainWaiter.serve()
   code: Sources/Corinth/Engine/Waiting/TaskWaiter.swift: serve()
   bug NOT_WOKEN in threads: acceptance cycle: waiters get their permits and aren't woken */
inline releaseAndWake() {
    atomic {
        flag = false;
        waiter = 0;
        do
        :: waiter < WAITERS ->
            if
#ifndef NOT_WOKEN
            :: list >> waiter & 1 ->
                served[waiter] = true;
                if
                :: TASKS && waiter == TASK ->
                    resumed++;
                    assert(resumed == 1)
                :: else
                fi
#endif
            :: else
            fi;
            waiter++
        :: else -> break
        od;
        waiter = 0;
        list = 0
    }
}

/* code: Sources/Corinth/Engine/Waiting/WaitGraph.swift: wouldWaitForItself(_:on:)
   code: Sources/Corinth/Engine/Waiting/WaitGraph.swift: walk(from:for:_:)
   code: Sources/Corinth/Engine/Waiting/WaitGraph.swift: next(after:for:)
   The server of the permits 1 is the scheduler's context in the run context, and a task in the run reader. One thread runs
   tasks, so there is one edge from tasks.
   bug NO_GRAPH in cycle: acceptance cycle: nobody looks whether a waiter would wait for itself
   bug NO_CONTEXTS in context: acceptance cycle: the chain ends at permits that a scheduler's work returns */
inline wouldWaitForItself(p, w, result) {
    index = p;
    result = false;
    steps = 0;
    do
    :: own[w] == index + 1 ->
        result = true;
        break
    :: own[w] != index + 1 && blockedOn[index] > 0 && steps < 4 -> index = blockedOn[index] - 1
#ifndef NO_CONTEXTS
    :: own[w] != index + 1 && blockedOn[index] == 0 && CONTEXT && index == 1 && inContext[w] ->
        result = true;
        break
    :: own[w] != index + 1 && blockedOn[index] == 0 && CONTEXT && index == 1 && !inContext[w] && contextBlockedOn > 0 && steps < 4 ->
        index = contextBlockedOn - 1
#endif
    :: else -> break
    od;
    index = 0;
#ifdef NO_GRAPH
    result = false
#else
    steps = 0
#endif
}

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: mustWait(_:_:)
   code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: fits(_:) */
inline mustWait(p, w, result) {
    result = (limit[p] != MAX);
    atomic {
        if
        :: result && queued[p] == 0 && takesPermit[w] && used[p] < BOUND(p) ->
            used[p]++;
            gotPermit = true;
            result = false
        :: result && queued[p] == 0 && !takesPermit[w] && used[p] <= BOUND(p) -> result = false
        :: else
        fi;
        if
        :: result ->
            wouldWaitForItself(p, w, isCycle);
            if
            :: isCycle ->
                beyond++;
                result = false
            :: else
            fi
        :: else
        fi;
        if
        :: !result && takesPermit[w] && !gotPermit -> used[p]++
        :: else
        fi;
        gotPermit = false;
        isCycle = false
    }
}

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: add(_:_:)
   code: Sources/Corinth/Engine/Waiting/DeferredWait.swift: returnBatch(of:)
   bug LIMIT_LATE in threads: acceptance cycle: the number of free permits is read before the limit is set
   bug CLOSED_UNSEEN in closing: acceptance cycle: a waiter doesn't see that the permits were closed */
inline add(p, w, result) {
    mustWait(p, w, result);
    if
    :: result ->
        atomic {
            if
            :: batchOf == (p) + 1 ->
                promised[p] = (promised[p] < BATCH - 1 -> 0 : promised[p] - (BATCH - 1));
                batchOf = 0
            :: else
            fi;
            append(p, w);
            before = limit[p];
#ifdef LIMIT_LATE
        }
        handOut(p, false);
        atomic {
            before = limit[p];
            if
            :: queued[p] > 0 && before != MAX -> limit[p] = 0
            :: else
            fi
        }
#else
            limit[p] = 0
        }
        if
#ifndef CLOSED_UNSEEN
        :: atomic { before == MAX ->
                limit[p] = MAX;
                grantAll(p)
            }
        :: before != MAX ->
#else
        :: true ->
#endif
            handOut(p, false)
        fi;
#endif
        before = 0
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Waiting/Permits.swift: join(_:)
   code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: firstLook(in:)
   Whether the request is granted, waits, or was cancelled before. */
inline join(p, w, takes, result) {
    atomic {
        ACQUIRE;
        takesPermit[w] = takes
    }
    add(p, w, result);
    atomic {
        if
        :: result && !watched[p] && queued[p] > 0 ->
            watched[p] = true;
            hasServed[p] = false
        :: else
        fi
    }
    releaseAndWake()
}

/* code: Sources/Corinth/Engine/Waiting/Permits.swift: handOut()
   code: Sources/Corinth/Engine/Waiting/PermitState.swift: taken(_:) */
inline handOutToAll(p) {
    if
    :: !hurry[p] && used[p] > CAPACITY - BATCH + 1
    :: !hurry[p] && used[p] <= CAPACITY - BATCH + 1 ->
        atomic { ACQUIRE };
        handOut(p, false);
        releaseAndWake()
    :: hurry[p] ->
        atomic { ACQUIRE };
        handOut(p, true);
        releaseAndWake()
    fi
}

/* code: Sources/Corinth/Engine/Waiting/Permits.swift: giveBack(_:)
   code: Sources/Corinth/Engine/Waiting/PermitState.swift: countDelivery()
   bug GIVE_BACK_BLIND in threads: acceptance cycle: permits are given back without a look at the queue
   bug LOOK_FIRST in threads: acceptance cycle: the limit is read before the permits are given back */
inline giveBack(p) {
#ifdef LOOK_FIRST
    before = limit[p];
#endif
    atomic {
        extra[p] = 0;
        used[p]--
    }
#ifndef GIVE_BACK_BLIND
#ifndef LOOK_FIRST
    before = limit[p];
#endif
    if
    :: before == 0 -> handOutToAll(p)
    :: else
    fi;
    before = 0
#endif
}

/* code: Sources/Corinth/Engine/Waiting/Permits.swift: blockingWait(_:)
   code: Sources/Corinth/Engine/Waiting/Waiter.swift: ThreadWaiter.blockingWait()
   code: Sources/Corinth/Engine/Waiting/DeferredWait.swift: use(_:) */
inline blockingWait(p, w, takes) {
    join(p, w, takes, mustSleep);
    if
    :: mustSleep ->
        atomic {
            served[w] ->
            served[w] = false;
            batchOf = (p) + 1;
            batch = granted[w];
            granted[w] = 0;
            mustSleep = false
        }
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Waiting/Permits.swift: blockingTake()
   code: Sources/Corinth/Engine/Waiting/DeferredWait.swift: takeFromBatch(of:)
   bug PAST_THE_QUEUE in endless: acceptance cycle: threads take free permits although others wait */
inline blockingTake(p, w) {
    spins = 0;
    seen = used[p];
    do
    :: true ->
        atomic {
            before = limit[p];
#ifdef PAST_THE_QUEUE
            before = (before == 0 -> CAPACITY : before);
#endif
            mustSleep = false;
            if
            :: seen < before -> mustSleep = true
            :: seen >= before && before == 0 && seen < CAPACITY && batchOf == (p) + 1 && batch > 0 ->
                batch--;
                mustSleep = true
            :: else
            fi
        }
        if
        :: mustSleep ->
            atomic {
                mustSleep = false;
                if
                :: used[p] == seen ->
                    used[p]++;
                    break
                :: else -> seen = used[p]
                fi
            }
        :: !mustSleep && (before == 0 || spins >= SPINS) ->
            blockingWait(p, w, true);
            break
        :: !mustSleep && before != 0 && spins < SPINS ->
            spins++;
            seen = used[p]
        fi
    od;
    atomic {
        before = 0;
        spins = 0;
        seen = 0
    }
}

/* A thread that sends events, each with a permit. The last one runs the scheduler's context in the run context. In the run
   reader, it runs a task. */
proctype thread(byte w) {
    byte event = 0, index, waiter, size, count, list, before, spins, seen, steps, batchOf, batch;
    bool mustSleep, isCycle, gotPermit;
#if READER
    runsTask[w] = true;
#endif
    do
    :: event < EVENTS || ENDLESS ->
        if
        :: CONTEXT && w == THREADS - 1 ->
            atomic {
                !contextIsBusy ->
                contextIsBusy = true;
                inContext[w] = true
            }
        :: else
        fi;
        blockingTake(0, w);
        atomic {
#if !ENDLESS
            event++;
#endif
            elements[CYCLE + CONTEXT + READER]++;
            assert(CLOSES || used[0] <= CAPACITY + beyond || CYCLE || READER)
        }
        if
        :: CONTEXT && w == THREADS - 1 ->
            atomic {
                inContext[w] = false;
                contextIsBusy = false
            }
        :: else
        fi
    :: else -> break
    od;
    ended++
}

/* A task that sends one event, and may be cancelled.
   code: Sources/Corinth/Engine/Waiting/TaskWaiter.swift: takePermit(of:)
   code: Sources/Corinth/Engine/Waiting/TaskWaiter.swift: resumeTask(_:)
   code: Sources/Corinth/Engine/Waiting/Permits.swift: tryTake() */
proctype task() {
    byte index, waiter, size, count, list, before, seen, steps, batchOf;
    bool mustSleep, isCycle, gotPermit;
    seen = used[0];
    do
    :: true ->
        before = limit[0];
        if
        :: seen < before ->
            atomic {
                if
                :: used[0] == seen ->
                    used[0]++;
                    gotPermit = true;
                    break
                :: else -> seen = used[0]
                fi
            }
        :: else -> break
        fi
    od;
    before = 0;
    if
    :: gotPermit -> gotPermit = false
    :: else ->
        atomic {
            ACQUIRE;
            takesPermit[TASK] = true;
            if
            :: isCancelled ->
                flag = false;
                resumed++;
                assert(resumed == 1);
                goto over
            :: else
            fi
        }
        add(0, TASK, mustSleep);
        atomic {
            if
            :: mustSleep && !watched[0] && queued[0] > 0 ->
                watched[0] = true;
                hasServed[0] = false
            :: else
            fi
        }
        releaseAndWake();
        if
        :: mustSleep ->
            resumed > 0;
            if
            :: !served[TASK] -> goto over
            :: else
            fi
        :: else
        fi
    fi;
    elements[0]++;
over:
    ended++
}

/* code: Sources/Corinth/Engine/Waiting/TaskWaiter.swift: cancel()
   code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: remove(_:_:)
   code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: takeOut(_:)
   bug CANCELLED_IN_QUEUE in task: assertion violated (resumed==1): a cancelled task stays in the queue */
proctype canceller() {
    byte index, waiter, size, count, list, before;
    bool wasQueued;
    atomic {
        ACQUIRE;
        isCancelled = true;
        wasQueued = hasQueue;
#ifndef CANCELLED_IN_QUEUE
        if
        :: wasQueued -> unlink(0, TASK)
        :: else
        fi
#endif
    }
    if
    :: wasQueued ->
        atomic { raiseLimit(0) };
        handOut(0, false)
    :: else
    fi;
    releaseAndWake();
    if
    :: wasQueued ->
        atomic {
            resumed++;
            assert(resumed == 1)
        }
    :: else
    fi
}

/* The side that delivers. Its callbacks send on to the other permits: as the strand's owner, it exceeds their bound, and then
   stops until the bound is met.
   code: Sources/Corinth/Engine/Waiting/Permits.swift: take()
   code: Sources/Corinth/Engine/Waiting/Permits.swift: overfill()
   code: Sources/Corinth/Engine/Waiting/Permits.swift: stop(_:owning:holdsValue:)
   code: Sources/Corinth/Engine/Waiting/DueWork.swift: deferWait(for:)
   code: Sources/Corinth/Engine/Waiting/DueWork.swift: takeDeferredWaits() */
proctype drain(byte p) {
    byte other = PERMITS - 1 - p, me = DRAIN(p);
    byte index, waiter, size, count, list, before, steps, batchOf, batch, sends;
    bool mustSleep, isCycle, gotPermit, isDeferred;
    own[me] = p + 1;
end:
    do
    :: atomic { FULL(p) > 0 && !(CONTEXT && p == 1 && contextIsBusy) && !(READER && p == 1 && ended < THREADS) ->
            if
            :: CONTEXT && p == 1 ->
                contextIsBusy = true;
                inContext[me] = false
            :: else
            fi;
            if
            :: elements[p * 3 + 2] > 0 ->
                elements[p * 3 + 2]--;
                index = 2
            :: elements[p * 3 + 2] == 0 && elements[p * 3 + 1] > 0 ->
                elements[p * 3 + 1]--;
                index = 1
            :: else -> elements[p * 3]--
            fi;
            sends = 2
        }
        do
        :: index > 0 && sends > 0 ->
            atomic {
                count = used[other];
                used[other]++;
                sends--
            }
            atomic {
                if
                :: count >= limit[other] && limit[other] != MAX ->
                    if
                    :: batchOf == other + 1 && batch > 0 ->
                        batch--;
                        isDeferred = isDeferred || used[other] > CAPACITY
                    :: else -> isDeferred = true
                    fi
                :: else
                fi;
                elements[other * 3 + index - 1]++;
                count = 0
            }
        :: else -> break
        od;
        atomic {
            index = 0;
            sends = 0
        }
        giveBack(p);
        if
        :: isDeferred ->
            isDeferred = false;
            join(other, me, false, mustSleep);
            if
            :: mustSleep ->
                atomic {
                    served[me] ->
                    served[me] = false;
                    batchOf = other + 1;
                    batch = granted[me];
                    granted[me] = 0;
                    mustSleep = false
                }
            :: else
            fi
        :: else
        fi;
        if
        :: CONTEXT && p == 1 -> contextIsBusy = false
        :: else
        fi
    od
}

/* code: Sources/Corinth/Engine/Waiting/Permits.swift: close()
   code: Sources/Corinth/Engine/Waiting/Permits.swift: releaseAll(atEnd:)
   bug CLOSE_QUIETLY in closing: acceptance cycle: the waiters aren't released */
proctype closer() {
    byte index, waiter, list, before;
    atomic {
        before = limit[0];
        limit[0] = MAX;
        isClosed = true
    }
#ifndef CLOSE_QUIETLY
    if
    :: before == 0 ->
        atomic {
            ACQUIRE;
            grantAll(0)
        }
        releaseAndWake()
    :: else
    fi
#endif
}

/* code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: check(at:)
   code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: look(at:_:)
   code: Sources/Corinth/Engine/Waiting/WaitQueue.swift: stallTimeout(in:)
   code: Sources/Corinth/Engine/Waiting/WaitGraph.swift: waitsForTask(on:)
   bug NO_ADMISSION in reader: acceptance cycle: a task that waits for another task admits nothing */
inline look(p) {
    atomic { ACQUIRE };
    if
    :: hasServed[p] ->
        hasServed[p] = false;
        hurry[p] = false
    :: !hasServed[p] ->
#ifndef NO_ADMISSION
        extra[p] = extra[p] + (READER && taskBlockedOn == (p) + 1 && extra[p] < 4);
#endif
        handOut(p, true);
        hurry[p] = queued[p] > 0;
        hasServed[p] = false
    fi;
    watched[p] = queued[p] > 0;
    releaseAndWake()
}

inline lookAtAll() {
    do
    :: p < PERMITS && watched[p] ->
        look(p);
        p++
    :: p < PERMITS && !watched[p] -> p++
    :: p == PERMITS -> break
    od;
    p = 0
}

proctype progressThread() {
    byte index, waiter, size, count, list, p = 0;
end:
    do
    :: atomic { (watched[0] || watched[PERMITS - 1]) && looks > 0 && !ENDLESS -> looks-- }
        lookAtAll()
    :: timeout && (watched[0] || watched[PERMITS - 1]) -> lookAtAll()
    od
}

init {
    byte p = 0;
    atomic {
        do
        :: p < PERMITS ->
            limit[p] = CAPACITY;
            run drain(p);
            p++
        :: else -> break
        od;
        p = 0;
#if WATCH
        run progressThread();
#endif
#if CYCLE
        /* An event whose callback sends two to the permits 0. */
        elements[3 + 1] = 1;
        used[1] = 1;
#endif
        do
        :: p < THREADS ->
            run thread(p);
            p++
        :: else -> break
        od;
#if TASKS
        run task();
        run canceller();
#endif
#if CLOSES
        run closer()
#endif
    }
}

/* Every thread and the task are through, every element was delivered, and the permits are as at first. */
#define IDLE(p) (queued[p] == 0 && FULL(p) == 0 && (limit[p] == MAX || limit[p] == CAPACITY && used[p] == 0))
#define THROUGH (ended == THREADS + TASKS && IDLE(0) && IDLE(PERMITS - 1) && (!isClosed || limit[0] == MAX))

#if ENDLESS
ltl served0 { [] (waits[0] -> <> !waits[0]) }
#else
ltl through { <> [] THROUGH }
#endif
