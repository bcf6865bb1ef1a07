#include "CBenchmarkSupport.h"

// A request to Valgrind is an instruction sequence that does nothing on a real processor. The sequences and the numbers are
// Valgrind's published interface (valgrind.h, callgrind.h). They are repeated here so that the build doesn't need Valgrind.

enum {
    running_on_valgrind = 0x1001,
    callgrind_dump_stats = 0x43540000,
    callgrind_zero_stats = 0x43540001,
    callgrind_toggle_collect = 0x43540002,
    callgrind_start_instrumentation = 0x43540004,
};

static uint64_t request(uint64_t number) {
    volatile uint64_t arguments[6] = {number, 0, 0, 0, 0, 0};
    uint64_t result = 0;
#if defined(__x86_64__)
    __asm__ volatile(
        "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
        "xchgq %%rbx, %%rbx"
        : "=d"(result)
        : "a"(&arguments[0]), "0"(result)
        : "cc", "memory");
#elif defined(__aarch64__)
    register volatile uint64_t *address __asm__("x4") = arguments;
    register uint64_t answer __asm__("x3") = 0;
    __asm__ volatile(
        "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
        "orr x10, x10, x10"
        : "+r"(answer)
        : "r"(address)
        : "cc", "memory");
    result = answer;
#endif
    return result;
}

bool bench_under_valgrind(void) { return request(running_on_valgrind) != 0; }

void bench_callgrind_start(void) { request(callgrind_start_instrumentation); }

void bench_callgrind_zero(void) { request(callgrind_zero_stats); }

void bench_callgrind_toggle(void) { request(callgrind_toggle_collect); }

void bench_callgrind_dump(void) { request(callgrind_dump_stats); }
