/// Waiting on a word: the plain futex on Linux, `__ulock_wait` on Apple's systems,
/// a yield elsewhere. Never a priority-inheritance lock.
#ifndef CORINTH_FUTEX_H
#define CORINTH_FUTEX_H

#include <sched.h>
#include <stdint.h>

/// Sleeps while the word's low 32 bits are `expected`. May wake up for no reason: callers check and wait again.
void corinth_blocking_wait(uint64_t *_Nonnull word, uint32_t expected);

/// The same, until a time of day has come: so many seconds and nanoseconds since 1970.
void corinth_blocking_wait_until(
    uint64_t *_Nonnull word, uint32_t expected, int64_t seconds, int32_t nanoseconds);

/// Wakes up to `count` threads that sleep on the word.
void corinth_wake(uint64_t *_Nonnull word, uint32_t count);

static inline void corinth_yield(void) { sched_yield(); }

#endif
