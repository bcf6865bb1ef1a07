/// Waiting on a word: the plain futex on Linux, `__ulock_wait` on Apple's systems, a yield elsewhere. Never a
/// priority-inheritance lock.
#ifndef CORINTH_FUTEX_H
#define CORINTH_FUTEX_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

/// Sleeps while the word's low 32 bits are `expected`. Spurious wake-ups occur: callers check and wait again.
void ccorinth_blocking_wait(uint64_t *_Nonnull word, uint32_t expected);

/// The same, until the monotonic clock shows `nanoseconds`. Setting the time of day doesn't affect this clock.
void ccorinth_blocking_wait_until_monotonic(uint64_t *_Nonnull word, uint32_t expected, uint64_t nanoseconds);

/// The time of the monotonic clock, in nanoseconds.
static inline uint64_t ccorinth_monotonic_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/// Wakes up to `count` threads that sleep on the word.
void ccorinth_wake(uint64_t *_Nonnull word, uint32_t count);

static inline void ccorinth_yield(void) { sched_yield(); }

#endif
