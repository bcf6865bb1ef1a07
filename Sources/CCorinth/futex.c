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

void ccorinth_blocking_wait(uint64_t *word, uint32_t expected) {
    syscall(SYS_futex, CORINTH_LOW_HALF(word), FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

void ccorinth_blocking_wait_until_monotonic(uint64_t *word, uint32_t expected, uint64_t nanoseconds) {
    struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
    int operation = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
    syscall(SYS_futex, CORINTH_LOW_HALF(word), operation, expected, &time, NULL, FUTEX_BITSET_MATCH_ANY);
}

void ccorinth_wake(uint64_t *word, uint32_t count) {
    int most = count > INT_MAX ? INT_MAX : (int)count;
    syscall(SYS_futex, CORINTH_LOW_HALF(word), FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}
#elif defined(__APPLE__)
// The system calls used by libc++'s std::atomic::wait.
extern int __ulock_wait(uint32_t operation, void *address, uint64_t value, uint32_t timeout);
extern int __ulock_wake(uint32_t operation, void *address, uint64_t value);
enum { CORINTH_ULOCK_COMPARE_AND_WAIT = 1, CORINTH_ULOCK_WAKE_ALL = 0x100, CORINTH_ULOCK_NO_ERRNO = 0x1000000 };

void ccorinth_blocking_wait(uint64_t *word, uint32_t expected) {
    __ulock_wait(CORINTH_ULOCK_COMPARE_AND_WAIT | CORINTH_ULOCK_NO_ERRNO, CORINTH_LOW_HALF(word), expected, 0);
}

void ccorinth_blocking_wait_until_monotonic(uint64_t *word, uint32_t expected, uint64_t nanoseconds) {
    uint64_t now = ccorinth_monotonic_time();
    if (now >= nanoseconds) { return; }
    uint64_t microseconds = (nanoseconds - now) / 1000 + 1;
    // At most a minute per call: the parameter has 32 bits.
    if (microseconds > 60 * 1000000) { microseconds = 60 * 1000000; }
    __ulock_wait(
        CORINTH_ULOCK_COMPARE_AND_WAIT | CORINTH_ULOCK_NO_ERRNO, CORINTH_LOW_HALF(word), expected,
        (uint32_t)microseconds);
}

void ccorinth_wake(uint64_t *word, uint32_t count) {
    uint32_t all = count > 1 ? CORINTH_ULOCK_WAKE_ALL : 0;
    __ulock_wake(CORINTH_ULOCK_COMPARE_AND_WAIT | CORINTH_ULOCK_NO_ERRNO | all, CORINTH_LOW_HALF(word), 0);
}
#else
void ccorinth_blocking_wait(uint64_t *word, uint32_t expected) {
    if ((uint32_t)ccorinth_load_acquire(word) == expected) { ccorinth_yield(); }
}

void ccorinth_blocking_wait_until_monotonic(uint64_t *word, uint32_t expected, uint64_t nanoseconds) {
    (void)nanoseconds;
    ccorinth_blocking_wait(word, expected);
}

void ccorinth_wake(uint64_t *word, uint32_t count) {
    (void)word;
    (void)count;
}
#endif
