#include "CBenchmarkSupport.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int descriptors[bench_hardware_kinds] = {-1, -1, -1};

void bench_hardware_open(void) {
    static const uint64_t events[bench_hardware_kinds] = {
        PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_CACHE_MISSES};
    for (int kind = 0; kind < bench_hardware_kinds; kind++) {
        struct perf_event_attr attributes;
        memset(&attributes, 0, sizeof attributes);
        attributes.size = sizeof attributes;
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.config = events[kind];
        attributes.inherit = 1;
        attributes.exclude_kernel = 1;
        attributes.exclude_hv = 1;
        attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        descriptors[kind] = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    }
}

bench_count bench_hardware_read(int kind) {
    struct { uint64_t value, enabled, running; } read_out;
    bench_count unavailable = {0, false};
    if (kind < 0 || kind >= bench_hardware_kinds || descriptors[kind] < 0) return unavailable;
    if (read(descriptors[kind], &read_out, sizeof read_out) != sizeof read_out) return unavailable;
    if (read_out.running == 0) return unavailable;
    double share = (double)read_out.enabled / (double)read_out.running;
    return (bench_count){(uint64_t)((double)read_out.value * share), true};
}

#else

void bench_hardware_open(void) {}

bench_count bench_hardware_read(int kind) { return (bench_count){0, false}; }

#endif
