/*
 * The biased strand and its barriers.
 *
 * Threads send events to a strand that may be biased. A store to the plain data of the strand, or to the byte of a generation,
 * stays in a buffer of its thread and reaches the memory at any later time. A store with release order reaches it after all
 * earlier ones of its thread, another one overtakes those of other words. A read-modify-write acts on the memory at once; with
 * release order the buffer is emptied first, otherwise it is not. A light barrier only fixes the order in which the program
 * stores and loads. A heavy barrier empties the buffers of all threads, one after another.
 *
 * The layout of the word is that of StrandWord, with fewer bits:
 *
 *      9 … 8        7 … 4                3        2           1        0
 *     | generation | node or thread | biased | unclaimed | edited | owned |
 *
 * run two: THREADS=2 EVENTS=2
 * run three: THREADS=3 EVENTS=1
 * bugs stale: THREADS=3 EVENTS=2
 */

#ifndef GENERATIONS
#define GENERATIONS 2
#endif

#define NODES (THREADS * EVENTS + 1)
#define NESTED NODES

#define OWNED 1
#define UNCLAIMED 4
#define BIASED 8
#define FLAGS (OWNED | UNCLAIMED | (3 << 8))
#define NODE(w) (((w) >> 4) & 15)
#define GENERATION(w) ((w) >> 8)
#define UNGENERATED(w) ((w) & 255)
#define BIAS ((me + 1) << 4 | BIASED)

short word = 0;

/* Owned by the strand's owner: the nodes taken and not run, and the BiasHistory. */
byte taken = 0;
byte next[NODES + 1];
byte historyThread = 0;
byte historyGeneration = 0;
bool historyKept = false;

/* What is checked. */
byte owners = 0;
byte delivered = 0;
byte order[THREADS];
bool nestedDelivered = false;

/* The memory: 0 is the plain data of the strand, 1 and on are the bytes of the generations. The data is the number of events
   that were delivered: an owner that sees another number than the true one misses what the last owner wrote. */
#define DATA 0
#define BUFFER 3
byte memory[GENERATIONS + 1];
byte buffer[THREADS * BUFFER];
byte length[THREADS];

#ifdef ONE_FLAG
#define INSIDE(generation) 1
#else
#define INSIDE(generation) ((generation) + 1)
#endif

#define ENTRY(t, i) buffer[(t) * BUFFER + (i)]
#define CELL(e) (((e) >> 4) & 7)
#define RELEASES(e) ((e) >> 7)

/* The entry i of a thread reaches the memory. */
inline arrive(t, i) {
    memory[CELL(ENTRY(t, i))] = ENTRY(t, i) & 15;
    if
    :: i < 1 -> ENTRY(t, 0) = ENTRY(t, 1)
    :: else
    fi;
    if
    :: i < 2 -> ENTRY(t, 1) = ENTRY(t, 2)
    :: else
    fi;
    ENTRY(t, 2) = 0;
    length[t]--
}

inline settle(t) {
    scan = 0;
    do
    :: length[t] > 0 -> arrive(t, 0)
    :: else -> break
    od;
    scan = 0
}

inline store(cell, value, releases) {
    atomic {
        length[me] < BUFFER -> ENTRY(me, length[me]) = (releases) << 7 | (cell) << 4 | (value);
        length[me]++
    }
}

/* A thread sees its own stores at once. */
inline load(cell, result) {
    result = memory[cell];
    scan = 0;
    do
    :: scan < length[me] ->
        if
        :: CELL(ENTRY(me, scan)) == (cell) -> result = ENTRY(me, scan) & 15
        :: else
        fi;
        scan++
    :: else -> break
    od;
    scan = 0
}

/* code: Sources/Corinth/Atomics/Bias/AsymmetricBarrier.swift: light(site:)
   code: Sources/Corinth/Atomics/Bias/AsymmetricBarrier.swift: lightIfAsymmetric(site:)
   The store and the look stand in this order. Without the barrier, the compiler may exchange them.
   bug NO_LIGHT in two: acceptance cycle: the biased thread looks at the word before it marks itself */
inline markAndLook(cell, value, releases) {
#ifdef NO_LIGHT
    looked = word;
    store(cell, value, releases)
#else
    store(cell, value, releases);
    looked = word
#endif
}

/* code: Sources/Corinth/Atomics/Bias/AsymmetricBarrier.swift: heavy(site:)
   bug NO_HEAVY in two: assertion violated: the thread that takes a bias looks at the byte without a barrier */
inline heavy() {
#ifndef NO_HEAVY
    d_step { settle(0) };
    d_step { settle(1) };
#if THREADS > 2
    d_step { settle(2) };
#endif
#endif
    skip
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: claim(_:namesOwner:)
   bug CLAIM_BY_STORE in two: assertion violated: the word is claimed by a load and a store
   bug CLAIM_ANY in stale: assertion violated: a word is claimed that is unclaimed from another generation */
inline claim(generation, result) {
#ifdef CLAIM_BY_STORE
    looked = word;
    if
    :: (looked & UNCLAIMED) && !(looked & BIASED) && GENERATION(looked) == (generation) ->
        word = looked & ~(UNCLAIMED | 3 << 8);
        result = true
    :: else -> result = false
    fi
#else
    atomic {
        if
#ifdef CLAIM_ANY
        :: (word & UNCLAIMED) && !(word & BIASED) ->
#else
        :: (word & UNCLAIMED) && !(word & BIASED) && GENERATION(word) == (generation) ->
#endif
            word = word & ~(UNCLAIMED | 3 << 8);
            result = true
        :: else -> result = false
        fi
    }
#endif
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: tryEnterByBias(_:namesOwner:)
   code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: isBiased(_:to:)
   code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: generation(of:)
   bug ONE_FLAG in two: assertion violated: all generations share one byte
   bug ENTER_BLIND in two: assertion violated: the biased thread enters without a second look */
inline tryEnterByBias(result) {
    result = false;
    seen = word;
    if
    :: UNGENERATED(seen) == BIAS ->
        d_step { load(INSIDE(GENERATION(seen)), byteSeen) };
        if
        :: byteSeen == 0 ->
            markAndLook(INSIDE(GENERATION(seen)), 1, 0);
#ifdef ENTER_BLIND
            looked = seen;
#endif
            if
            :: looked == seen -> result = true
            :: else -> claim(GENERATION(seen), result)
            fi
        :: else
        fi
    :: else
    fi
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: leaveByBias(_:namesOwner:)
   bug LEAVE_RELAXED in two: assertion violated (seenData==delivered): the byte is cleared by a relaxed store
   bug LEAVE_BLIND in two: acceptance cycle: the biased thread leaves without a look at the word */
inline leaveByBias(result) {
    result = true;
    if
    :: early != 0 -> seen = early
    :: else -> seen = word
    fi;
    early = 0;
    if
    :: UNGENERATED(seen) == BIAS ->
#ifdef LEAVE_RELAXED
        markAndLook(INSIDE(GENERATION(seen)), 0, 0);
#else
        markAndLook(INSIDE(GENERATION(seen)), 0, 1);
#endif
#ifdef LEAVE_BLIND
        looked = seen;
#endif
        if
        :: looked != seen -> claim(GENERATION(seen), result)
        :: else -> result = false
        fi
    :: else
    fi
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: giveUpBias(_:namesOwner:)
   An owner that doesn't claim the word here claims it when it takes the nodes. */
inline giveUpBias(result) {
    result = false;
    seen = word;
    if
    :: UNGENERATED(seen) == BIAS ->
        atomic {
            if
            :: word == seen ->
                word = OWNED;
                result = true
            :: else
            fi
        }
        if
        :: !result -> claim(GENERATION(seen), ignored)
        :: else
        fi
    :: UNGENERATED(seen) != BIAS && (seen & UNCLAIMED) && !(seen & BIASED) -> claim(GENERATION(seen), ignored)
    :: else
    fi
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: takeBias(_:namesOwner:)
   bug TAKE_BLIND in two: assertion violated: the taking thread claims without a look at the byte
   bug TAKE_CLAIMED in two: assertion violated: the word is owned at once, not unclaimed */
inline takeBias(result) {
    generation = GENERATION(seen);
    atomic {
        if
        :: word == seen ->
            word = OWNED | UNCLAIMED | (seen & (3 << 8));
            result = true
        :: else -> result = false
        fi
    }
    if
    :: result ->
        heavy();
#ifdef TAKE_CLAIMED
        word = word & ~(UNCLAIMED | 3 << 8);
#else
        d_step { load(INSIDE(generation), byteSeen) };
#ifdef TAKE_BLIND
        byteSeen = 0;
#endif
        if
        :: byteSeen == 0 -> claim(generation, result)
        :: else -> result = false
        fi
#endif
    :: else
    fi
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: next(for:)
   code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: bits(for:_:)
   Whether a thread has used the word often enough is left open: both cases are tried. */
inline historyNext(result) {
    if
    :: historyThread != me + 1 ->
        historyThread = me + 1;
        historyKept = false
    :: else
    fi;
    result = 0;
    if
    :: historyKept ->
        historyKept = false;
        result = historyGeneration
    :: !historyKept && historyGeneration < GENERATIONS ->
        historyGeneration++;
        result = historyGeneration
    :: !historyKept
    fi
}

/* code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: meet()
   code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: keep() */
inline meet() {
    historyThread = 0;
    historyKept = false
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: tryRelease(_:as:bias:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: leaveWithoutBias(_:)
   bug RELEASE_RELAXED in two: assertion violated (seenData==delivered): the word is released by a relaxed exchange
   bug BYTE_KEPT in two: acceptance cycle: the byte of a bias isn't cleared before the bias is given
   bug LEAVE_BY_STORE in two: acceptance cycle: the word is released by a store */
inline tryRelease(result) {
    atomic {
        beforeThread = historyThread;
        beforeGeneration = historyGeneration;
        beforeKept = historyKept;
        historyNext(generation)
    }
    desired = 0;
    if
    :: generation > 0 ->
#ifndef BYTE_KEPT
        store(INSIDE(generation - 1), 0, 0);
#endif
        desired = BIAS | (generation - 1) << 8
    :: else
    fi;
    atomic {
        if
#ifdef LEAVE_BY_STORE
        :: !(word & UNCLAIMED) ->
#else
        :: word == OWNED ->
#endif
#ifndef RELEASE_RELAXED
            d_step { settle(me) };
#endif
            word = desired;
            result = true
        :: else ->
            result = false;
            seen = word;
            historyThread = beforeThread;
            historyGeneration = beforeGeneration;
            historyKept = beforeKept
        fi;
        beforeThread = 0;
        beforeGeneration = 0;
        beforeKept = false
    }
    if
    :: !result && (seen & UNCLAIMED) ->
        giveUpBias(ignored);
        if
        :: !historyKept -> meet()
        :: else
        fi;
        result = false
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: tryEnterWithoutBias()
   code: Sources/Corinth/Engine/Strand/Strand.swift: canTakeBias(_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: enter() */
inline tryEnter(result) {
    tryEnterByBias(result);
    if
    :: !result ->
        atomic {
            seen = word;
            if
            :: word == 0 ->
                word = OWNED;
                result = true
            :: else
            fi
        }
        if
        :: !result && (seen & BIASED) && UNGENERATED(seen) != BIAS -> takeBias(result)
        :: else
        fi
    :: else
    fi
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: push(_:by:)
   code: Sources/Corinth/Atomics/Bias/BiasedWord.swift: isInside(_:)
   code: Sources/Corinth/Engine/Strand/StrandWord.swift: arriving(with:keeps:)
   A thread that is inside by its bias leaves the word unclaimed, with its node. What the list keeps, strand.pml models.
   bug PUSH_BY_STORE in two: assertion violated: a node is pushed by a store
   bug CLAIM_FROM_OUTSIDE in two: acceptance cycle: a thread that isn't inside claims a word whose bias was taken meanwhile */
inline place(node, result) {
    seen = word;
    do
    :: (seen & BIASED) ->
        byteSeen = 0;
        if
        :: UNGENERATED(seen) == BIAS -> d_step { load(INSIDE(GENERATION(seen)), byteSeen) }
        :: else
        fi;
        if
        :: byteSeen != 0 ->
            atomic {
                if
                :: word == seen ->
                    d_step { settle(me) };
                    next[node] = 0;
                    word = node << 4 | OWNED | UNCLAIMED | (seen & (3 << 8));
                    historyKept = true;
                    result = false;
                    break
                :: else -> seen = word
                fi
            }
        :: byteSeen == 0 ->
            if
            :: UNGENERATED(seen) != BIAS -> takeBias(result)
            :: else ->
                tryEnterByBias(result);
#ifdef CLAIM_FROM_OUTSIDE
                if
                :: !result -> giveUpBias(ignored)
                :: else
                fi
#endif
            fi;
            if
            :: result -> break
            :: else -> seen = word
            fi
        fi
    :: !(seen & BIASED) && (seen & OWNED) ->
        atomic {
            next[node] = NODE(seen);
            if
#ifdef PUSH_BY_STORE
            :: word != seen && !(word & BIASED) && word != 0 ->
                word = node << 4 | (seen & FLAGS);
                result = false;
                break
#endif
            :: word == seen ->
                d_step { settle(me) };
                word = node << 4 | (seen & FLAGS);
                result = false;
                break
            :: else -> seen = word
            fi
        }
    :: seen == 0 ->
        atomic {
            if
            :: word == 0 ->
                d_step { settle(me) };
                word = OWNED;
                result = true;
                break
            :: else -> seen = word
            fi
        }
    od;
    seen = 0
}

/* code: Sources/Corinth/Engine/Strand/Strand+Draining.swift: takeAll(into:)
   code: Sources/Corinth/Engine/Strand/StrandWord.swift: departing() */
inline takeAll() {
    atomic {
        assert(taken == 0);
        rest = NODE(word);
        d_step { settle(me) };
        word = OWNED;
        do
        :: rest > 0 ->
            current = next[rest];
            next[rest] = taken;
            taken = rest;
            rest = current
        :: else -> break
        od
    }
}

/* The callback of an event, in which only one thread may be. The last event of the first thread sends another one. */
inline deliver(node) {
    atomic {
        assert(owners == 0);
        owners++;
        d_step { load(DATA, seenData) };
        assert(seenData == delivered);
        delivered++;
        if
        :: node == NESTED ->
            assert(!nestedDelivered);
            nestedDelivered = true
        :: else ->
            assert(order[(node - 1) / EVENTS] == (node - 1) % EVENTS);
            order[(node - 1) / EVENTS]++
        fi
    }
    if
    :: !draining && node != EVENTS -> early = word
    :: true
    fi;
    store(DATA, seenData + 1, 0);
    if
    :: node == EVENTS ->
        place(NESTED, isOwner);
        assert(!isOwner)
    :: else
    fi;
    atomic {
        owners--;
        seenData = 0
    }
}

/* code: Sources/Corinth/Engine/Strand/Strand.swift: leave(_:)
   code: Sources/Corinth/Engine/Strand/Strand.swift: leaveByBias(_:_:)
   The drain runs all nodes: how it is limited, strand.pml models. */
proctype sender(byte me) {
    byte event = 0, node, current, rest, scan, generation, byteSeen, seenData, beforeThread, beforeGeneration;
    short seen, looked, desired;
    short early = 0;
    bool draining = false;
    bool isOwner, ignored, beforeKept;
    do
    :: event < EVENTS ->
        node = me * EVENTS + event + 1;
        event++;
        isOwner = false;
        if
        :: tryEnter(isOwner)
        :: true /* a task that has waited for its permit comes without a try */
        fi;
        if
        :: !isOwner -> place(node, isOwner)
        :: else
        fi;
        if
        :: isOwner ->
            deliver(node);
            leaveByBias(isOwner);
            if
            :: isOwner ->
                draining = true;
                do
                :: true ->
                    tryRelease(isOwner);
                    if
                    :: isOwner -> break
                    :: else -> takeAll()
                    fi;
                    do
                    :: taken != 0 ->
                        atomic {
                            node = taken;
                            taken = next[node];
                            next[node] = 0;
                            if
                            :: node != NESTED && (node - 1) / EVENTS != me -> meet()
                            :: else
                            fi
                        }
                        deliver(node)
                    :: else -> break
                    od
                od
            :: else
            fi
        :: else
        fi;
        atomic { node = 0; current = 0; generation = 0; byteSeen = 0; seen = 0; looked = 0; desired = 0; draining = false; isOwner = false; ignored = false }
    :: else -> break
    od
}

#define MAY_ARRIVE(t, i) (length[t] > i && !RELEASES(ENTRY(t, i)) && CELL(ENTRY(t, i)) != CELL(ENTRY(t, 0)))
#define ARRIVALS(t) \
    :: d_step { length[t] > 0 -> arrive(t, 0) } \
    :: d_step { MAY_ARRIVE(t, 1) -> arrive(t, 1) } \
    :: d_step { MAY_ARRIVE(t, 2) && CELL(ENTRY(t, 2)) != CELL(ENTRY(t, 1)) -> arrive(t, 2) }

/* The processors: stores leave the buffers. */
proctype processors() {
end:
    do
    ARRIVALS(0)
    ARRIVALS(1)
#if THREADS > 2
    ARRIVALS(2)
#endif
    od
}

init {
    atomic {
        run processors();
        run sender(0);
        run sender(1);
#if THREADS > 2
        run sender(2)
#endif
    }
}

#define QUIET (delivered == NODES && (word & OWNED) == 0)
ltl delivers { <> [] QUIET }
