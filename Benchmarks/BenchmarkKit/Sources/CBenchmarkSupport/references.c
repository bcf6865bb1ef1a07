#include "CBenchmarkSupport.h"

// Two functions of Swift's runtime, with C's calling convention.
extern void *swift_retain(void *object);
extern void swift_release(void *object);

void bench_retain_release(uint64_t times) {
    for (uint64_t time = 0; time < times; time++) {
        swift_retain(0);
        swift_release(0);
    }
}

void bench_locked_instructions(uint64_t times) {
    // Volatile, so that the compiler leaves each of them.
    static volatile uint64_t word;
    for (uint64_t time = 0; time < times; time++) __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
}
