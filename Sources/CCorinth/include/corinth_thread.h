/// What a thread knows about itself.
#ifndef CORINTH_THREAD_H
#define CORINTH_THREAD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    /// Twice the number of strands that this thread owns now, and 1 more while it has a debt. A thread that owns a
    /// strand never waits.
    uint64_t owned;
    /// A strand past its bound that this thread has pushed to while it owned another: waited for when it owns none.
    void *_Nullable debt;
    /// How many starts and ends of producers are nested on this thread's stack now.
    uint64_t depth;
    /// The starts and ends that wait until those have returned.
    void *_Nullable deferred;
    /// The loop of the thread scheduler whose thread this is.
    void *_Nullable loop;
} corinth_thread_state;

/// In a `.c` file and not in this header: every module that inlines a send must see the same one.
extern _Thread_local corinth_thread_state corinth_thread;

static inline __attribute__((always_inline)) corinth_thread_state *_Nonnull corinth_thread_current(void) {
    return &corinth_thread;
}

/// Starts a thread of its own for `body`, on one processor only if `processor` isn't negative, which does nothing where the
/// system has no such thing. Returns 0, or the number of an error of the system's.
int corinth_start_thread(
    const char *_Nonnull name, int32_t processor, void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// Whether this process may use a processor, as far as the system says.
bool corinth_may_use(int32_t processor);

/// Whether a thread can be bound to a processor.
bool corinth_can_bind(void);

#endif
