/// The state of a thread.
#ifndef CORINTH_THREAD_H
#define CORINTH_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The bits of `owned` that count strands: see `ThreadState.owned`.
#define CORINTH_STRANDS 0x7FFFF000

typedef struct {
    /// This thread's number, which is never used again, in a word that is biased to this thread. The number is 0 until first
    /// needed.
    uint64_t bias;
    /// What this thread owns: `ThreadState.owned` says which bits are what. A thread that owns a strand never waits.
    uint64_t owned;
    /// Changes with each value of the drain that runs on this thread; NULL if none does. It may be gone when another thread looks.
    const uint64_t *_Nullable progress;
    /// What this thread does when it has left a strand: see `DueWork`.
    uintptr_t due;
    /// The permits of which this thread may take some out of order, and how many, or its term as a leader: see `Batch`.
    uint64_t batch;
    /// What this thread has queued last: see `LastQueued`.
    uintptr_t queued;
    /// How many events of other threads this thread has delivered instead of sleeping, during the current send.
    uint64_t helped;
    /// The starts and terminations of producers that are nested on this thread's stack: see `Nesting`.
    uintptr_t nesting;
    /// The start that this thread makes for a user: see `StartRecord`.
    uintptr_t start;
    /// The change of a bound property that this thread delivers: see `ChangeStamp`.
    uint64_t change;
    /// The innermost context that this thread runs: a struct on its stack.
    void *_Nullable visit;
    /// Where the lowest part of this thread's stack ends, which counts as low, and in the 10 lowest bits its size in KiB; 0 if
    /// unknown, and the highest address until first needed.
    uintptr_t low_stack;
} ccorinth_thread_state;

/// In a `.c` file, not in this header: every module that inlines a send must access the same variable.
extern _Thread_local ccorinth_thread_state ccorinth_thread;

static inline __attribute__((always_inline)) ccorinth_thread_state *_Nonnull ccorinth_thread_current(void) {
    return &ccorinth_thread;
}

/// A number for the calling thread that no other one has had before. From 1.
uint64_t ccorinth_new_thread_number(void);

/// Whether less than 32 KiB of the calling thread's stack is left, or less than a quarter of a smaller stack. False if
/// unknown.
bool ccorinth_stack_is_low(void);

/// False if `ccorinth_stack_is_low` would return false, at the cost of a comparison. It may be true on a separate stack.
static inline __attribute__((always_inline)) bool ccorinth_stack_may_be_low(void) {
    return (uintptr_t)__builtin_frame_address(0) < ccorinth_thread.low_stack;
}

/// From now on, each value of a hop on the main queue is a block of its own. Called before the first use of the library.
void ccorinth_keep_main_order(void);

/// Whether it was called.
bool ccorinth_keeps_main_order(void);

// What follows is for the library alone: in a shared library, no other can see it.
#pragma GCC visibility push(hidden)

/// Writes the calling thread's name, empty if it has none, and returns its number, both as debuggers show them.
uint64_t ccorinth_describe_thread(char *_Nonnull name, uint64_t size);

/// Maps `size` bytes of zeroed memory from the system; NULL if there is none.
void *_Nullable ccorinth_map(size_t size);

/// How a thread is scheduled.
typedef enum { ccorinth_inherited, ccorinth_nice, ccorinth_fifo, ccorinth_round_robin } ccorinth_scheduling;

/// How a thread is started.
typedef struct {
    /// In bytes; 0 for 8 MiB.
    size_t stack_size;
    ccorinth_scheduling scheduling;
    /// The niceness, or the priority.
    int32_t priority;
    /// The processors to which it is bound, where the system supports that; none for all.
    const int32_t *_Nullable processors;
    size_t processor_count;
} ccorinth_thread_options;

/// Has the calling thread take no signals: those are for the program's own threads.
void ccorinth_block_signals(void);

/// Starts a thread that runs `body`. With options, it returns when the thread has what they say; otherwise, it doesn't wait for the
/// thread. Returns 0, or a system error number, and then `body` doesn't run.
int ccorinth_start_thread(
    const char *_Nonnull name, const ccorinth_thread_options *_Nullable options, void (*_Nonnull body)(void *_Nonnull),
    void *_Nonnull context);

/// Writes text to standard error, with one call if the system takes it at once.
void ccorinth_write_error(const uint8_t *_Nullable text, size_t size);

/// Whether the calling thread runs a task on an executor, which is two words of Swift's runtime. False if unknown.
bool ccorinth_runs_executor(const void *_Nullable identity, uintptr_t implementation);

/// Whether this process may use a processor, according to the system.
bool ccorinth_may_use(int32_t processor);

/// Whether a thread can be bound to a processor.
bool ccorinth_can_bind(void);

/// How many processors this process may use, by the affinity of its main thread and the quotas of its control groups. At least 1.
uint32_t ccorinth_processor_count(void);

/// The least quota of the control groups that the file `groups` names, in whole processors, rounded up, at most `most`.
uint32_t ccorinth_quota(const char *_Nonnull groups, const char *_Nonnull mount, uint32_t most);

#pragma GCC visibility pop

#endif
