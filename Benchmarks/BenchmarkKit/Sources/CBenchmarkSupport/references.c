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
