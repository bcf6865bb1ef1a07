#include "CBenchmarkSupport.h"

#include <jemalloc/jemalloc.h>
#include <stdio.h>
#include <stdlib.h>


static bool read_counter(const char *name, uint64_t *value) {
    size_t size = sizeof *value;
    return mallctl(name, value, &size, NULL, 0) == 0 && size == sizeof *value;
}

// Brings the statistics up to date.
static bool refresh(void) {
    // What this thread's cache has served reaches the arenas' counters when the cache is flushed. A thread
    // without a cache can't flush one, which is as good.
    (void)mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
    // The statistics are a snapshot, renewed by writing the epoch.
    uint64_t epoch = 1;
    return mallctl("epoch", NULL, NULL, &epoch, sizeof epoch) == 0;
}

bench_count bench_allocation_requests(void) {
    bench_count unavailable = {0, false};
    if (!refresh()) return unavailable;
    char name[64];
    uint64_t small, large;
    snprintf(name, sizeof name, "stats.arenas.%u.small.nrequests", (unsigned)MALLCTL_ARENAS_ALL);
    if (!read_counter(name, &small)) return unavailable;
    snprintf(name, sizeof name, "stats.arenas.%u.large.nrequests", (unsigned)MALLCTL_ARENAS_ALL);
    if (!read_counter(name, &large)) return unavailable;
    return (bench_count){small + large, true};
}

bench_count bench_allocated_bytes(void) {
    // The one number among the statistics that is a `size_t`.
    size_t bytes = 0, size = sizeof bytes;
    if (!refresh() || mallctl("stats.allocated", &bytes, &size, NULL, 0) != 0) return (bench_count){0, false};
    return (bench_count){bytes, true};
}

void bench_allocate(uint64_t count, uint64_t size) {
    for (uint64_t index = 0; index < count; index++) {
        void *block = malloc(size);
        __asm__ volatile("" : : "r"(block) : "memory");
        free(block);
    }
}
