#include "CBenchmarkSupport.h"

// Two of the functions that compiled Swift calls. They take and return objects as C does.
extern void *swift_retain(void *object);
extern void swift_release(void *object);

void bench_retain_release(uint64_t times) {
    for (uint64_t time = 0; time < times; time++) {
        swift_retain(0);
        swift_release(0);
    }
}
