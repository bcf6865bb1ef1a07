#if defined(__linux__)
#define _GNU_SOURCE 1
#endif
#include "CBenchmarkSupport.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// Its index for all arenas, in jemalloc 5.
#define MALLCTL_ARENAS_ALL 4096

typedef int control(const char *, void *, size_t *, void *, size_t);

/// jemalloc's `mallctl`; NULL unless this program is linked to it or has it preloaded.
static control *find_control(void) {
    static _Atomic(control *) known;
    static _Atomic(bool) is_known;
    if (!is_known) {
        known = (control *)dlsym(RTLD_DEFAULT, "mallctl");
        is_known = true;
    }
    return known;
}

static int mallctl(const char *name, void *old, size_t *old_size, void *new, size_t new_size) {
    control *found = find_control();
    return found == NULL ? -1 : found(name, old, old_size, new, new_size);
}

bool bench_has_jemalloc(void) { return find_control() != NULL; }

static bool read_counter(const char *name, uint64_t *value) {
    size_t size = sizeof *value;
    return mallctl(name, value, &size, NULL, 0) == 0 && size == sizeof *value;
}

// Updates the statistics.
static bool refresh(void) {
    // Flushing the thread's cache adds its requests to the arenas' counters. It fails on a thread without a cache, which has
    // nothing to add.
    (void)mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
    // The statistics are a snapshot. Writing the epoch renews it.
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

static bool read_unsigned(const char *name, unsigned *value) {
    size_t size = sizeof *value;
    return mallctl(name, value, &size, NULL, 0) == 0 && size == sizeof *value;
}

/// Adds requests times size over the size classes of one kind.
static bool add_bytes(const char *number, const char *size_of_class, const char *requests_of_class, uint64_t *bytes) {
    unsigned classes;
    if (!read_unsigned(number, &classes)) return false;
    for (unsigned index = 0; index < classes; index++) {
        char name[96];
        size_t size, width = sizeof size;
        uint64_t requests;
        snprintf(name, sizeof name, size_of_class, index);
        if (mallctl(name, &size, &width, NULL, 0) != 0) return false;
        snprintf(name, sizeof name, requests_of_class, (unsigned)MALLCTL_ARENAS_ALL, index);
        if (!read_counter(name, &requests)) return false;
        *bytes += requests * size;
    }
    return true;
}

bench_count bench_requested_bytes(void) {
    uint64_t bytes = 0;
    bool known = refresh() &&
        add_bytes("arenas.nbins", "arenas.bin.%u.size", "stats.arenas.%u.bins.%u.nrequests", &bytes) &&
        add_bytes("arenas.nlextents", "arenas.lextent.%u.size", "stats.arenas.%u.lextents.%u.nrequests", &bytes);
    return (bench_count){known ? bytes : 0, known};
}

bench_count bench_allocated_bytes(void) {
    // This statistic is a `size_t`, unlike the others.
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
