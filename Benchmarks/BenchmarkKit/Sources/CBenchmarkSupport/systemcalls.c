#include "CBenchmarkSupport.h"

#ifdef __linux__
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int descriptor = -1;
// Each reading is a system call, which later readings contain.
static uint64_t readings;

static bool find_tracepoint(uint64_t *number) {
    static const char *const places[] = {
        "/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
        "/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id",
    };
    for (unsigned place = 0; place < sizeof places / sizeof *places; place++) {
        FILE *file = fopen(places[place], "r");
        if (!file) continue;
        unsigned long read_out;
        bool found = fscanf(file, "%lu", &read_out) == 1;
        fclose(file);
        if (found) {
            *number = read_out;
            return true;
        }
    }
    return false;
}

bench_count bench_system_calls(void) {
    bench_count unavailable = {0, false};
    uint64_t count;
    if (descriptor < 0 || read(descriptor, &count, sizeof count) != sizeof count) return unavailable;
    return (bench_count){count - readings++, true};
}

void bench_system_calls_open(void) {
    enum { calls = 100 };
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_TRACEPOINT;
    uint64_t number;
    if (!find_tracepoint(&number)) return;
    attributes.config = number;
    attributes.inherit = 1;
    descriptor = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    // Some kernels open it but count nothing. So it has to count these calls exactly, or it isn't used.
    bench_count before = bench_system_calls();
    for (int call = 0; call < calls; call++) (void)syscall(SYS_getppid);
    bench_count after = bench_system_calls();
    if (descriptor >= 0 && !(before.available && after.available && after.value - before.value == calls)) {
        close(descriptor);
        descriptor = -1;
    }
}

#else

void bench_system_calls_open(void) {}

bench_count bench_system_calls(void) { return (bench_count){0, false}; }

#endif
