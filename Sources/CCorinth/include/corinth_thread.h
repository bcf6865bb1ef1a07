/// What a thread knows about itself.
#ifndef CORINTH_THREAD_H
#define CORINTH_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    /// Twice the number of strands that this thread owns now, and 1 more while it has a deferred wait. A thread that owns
    /// a strand never waits.
    uint64_t owned;
    /// What this thread has filled past its bound while it owned a strand: waited for when it owns none.
    void *_Nullable deferred_wait;
    /// Whatever else it has filled meanwhile.
    void *_Nullable more_waits;
    /// The permits of which this thread may take some out of turn, and how many.
    uint64_t batch_owner;
    uint64_t batch;
    /// How many ends and disposals are nested on this thread's stack now, which wait for nothing.
    uint64_t ends;
    /// How many events of others this thread has delivered instead of sleeping, in the send that it is in.
    uint64_t helped;
    /// How many starts and ends of producers are nested on this thread's stack now.
    uint64_t depth;
    /// Whether a disposal of starts is among them.
    uint64_t disposing;
    /// The starts and ends that wait until those have returned.
    void *_Nullable deferred;
    /// The start that this thread is in, and what its handle is to hold.
    void *_Nullable starting;
    void *_Nullable held;
    /// The start whose end this thread delivers, and what follows when that is through.
    void *_Nullable ending;
    void *_Nullable following;
    /// The loop of the thread scheduler whose thread this is.
    void *_Nullable loop;
    /// The lowest address of this thread's stack, and its size; 0 until somebody asks.
    uintptr_t stack;
    uint64_t stack_size;
    /// The type of the value that this thread is about to wait for: a metatype of Swift's. In debug builds alone.
    const void *_Nullable awaited;
} corinth_thread_state;

/// In a `.c` file and not in this header: every module that inlines a send must see the same one.
extern _Thread_local corinth_thread_state corinth_thread;

static inline __attribute__((always_inline)) corinth_thread_state *_Nonnull corinth_thread_current(void) {
    return &corinth_thread;
}

/// Whether fewer than 32 KiB of the calling thread's stack are left, or, if that is less, a quarter. False where it can't be told.
bool corinth_stack_is_low(void);

/// Writes the calling thread's name, as debuggers show it; empty if it has none. Returns its number, as debuggers show it.
uint64_t corinth_describe_thread(char *_Nonnull name, uint64_t size);

/// Memory straight from the system, of so many bytes, all of them 0; NULL if there is none.
void *_Nullable corinth_map(size_t size);

/// Starts a thread of its own for `body`, on one processor only if `processor` isn't negative, which does nothing where the
/// system has no such thing. Returns 0, or the number of an error of the system's.
int corinth_start_thread(
    const char *_Nonnull name, int32_t processor, void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Whether this process may use a processor, as far as the system says.
bool corinth_may_use(int32_t processor);

/// Whether a thread can be bound to a processor.
bool corinth_can_bind(void);

#endif
