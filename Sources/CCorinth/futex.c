#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"

#include <limits.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CORINTH_LOW_HALF(word) ((uint32_t *)(word) + 1)
#else
#define CORINTH_LOW_HALF(word) ((uint32_t *)(word))
#endif

#if defined(__linux__)
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void corinth_blocking_wait(uint64_t *word, uint32_t expected) {
    syscall(SYS_futex, CORINTH_LOW_HALF(word), FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void corinth_blocking_wait_until(uint64_t *word, uint32_t expected, int64_t seconds, int32_t nanoseconds) {
    // Of the futex's waits, this is the one whose time is absolute, and follows the clock when that is set.
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = nanoseconds};
    int operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME;
    syscall(SYS_futex, CORINTH_LOW_HALF(word), operation, expected, &time, NULL, FUTEX_BITSET_MATCH_ANY);
}

void corinth_wake(uint64_t *word, uint32_t count) {
    int most = count > INT_MAX ? INT_MAX : (int)count;
    syscall(SYS_futex, CORINTH_LOW_HALF(word), FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}
#elif defined(__APPLE__)
#include <sys/time.h>

// The calls beneath libc++'s std::atomic::wait.
extern int __ulock_wait(uint32_t operation, void *address, uint64_t value, uint32_t timeout);
extern int __ulock_wake(uint32_t operation, void *address, uint64_t value);
enum { CORINTH_ULOCK_COMPARE_AND_WAIT = 1, CORINTH_ULOCK_WAKE_ALL = 0x100, CORINTH_ULOCK_NO_ERRNO = 0x1000000 };

void corinth_blocking_wait(uint64_t *word, uint32_t expected) {
    __ulock_wait(CORINTH_ULOCK_COMPARE_AND_WAIT | CORINTH_ULOCK_NO_ERRNO, CORINTH_LOW_HALF(word), expected, 0);
}

void corinth_blocking_wait_until(uint64_t *word, uint32_t expected, int64_t seconds, int32_t nanoseconds) {
    // This wait knows no time of day: at most a minute at once, for the case that the clock is set meanwhile.
    struct timeval now;
    gettimeofday(&now, NULL);
    int64_t left = seconds - now.tv_sec;
    int64_t microseconds = 60 * 1000000;
    if (left < 60) { microseconds = left * 1000000 + nanoseconds / 1000 - now.tv_usec + 1; }
    if (microseconds <= 0) { return; }
    __ulock_wait(
        CORINTH_ULOCK_COMPARE_AND_WAIT | CORINTH_ULOCK_NO_ERRNO, CORINTH_LOW_HALF(word), expected,
        (uint32_t)microseconds);
}

void corinth_wake(uint64_t *word, uint32_t count) {
    uint32_t all = count > 1 ? CORINTH_ULOCK_WAKE_ALL : 0;
    __ulock_wake(CORINTH_ULOCK_COMPARE_AND_WAIT | CORINTH_ULOCK_NO_ERRNO | all, CORINTH_LOW_HALF(word), 0);
}
#else
void corinth_blocking_wait(uint64_t *word, uint32_t expected) {
    if ((uint32_t)corinth_load_acquire(word) == expected) { corinth_yield(); }
}

void corinth_blocking_wait_until(uint64_t *word, uint32_t expected, int64_t seconds, int32_t nanoseconds) {
    (void)seconds;
    (void)nanoseconds;
    corinth_blocking_wait(word, expected);
}

void corinth_wake(uint64_t *word, uint32_t count) {
    (void)word;
    (void)count;
}
#endif
