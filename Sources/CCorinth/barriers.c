#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"

bool ccorinth_barriers_are_asymmetric = false;

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CORINTH_THREAD_SANITIZER 1
#endif
#endif

__attribute__((constructor)) static void register_for_barriers(void) {
#if defined(CORINTH_THREAD_SANITIZER)
    return;  // It doesn't know what a heavy barrier orders.
#endif
    ccorinth_barriers_are_asymmetric = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

/// For a process that forbids itself `membarrier` after it was loaded. Runs on each processor in turn: every other thread is
/// switched out there meanwhile, or runs elsewhere and is met there. A switch is a full barrier. Takes milliseconds.
static void visit_all_processors(void) {
    cpu_set_t before;
    bool visited = false;
    if (sched_getaffinity(0, sizeof before, &before) == 0) {
        for (int processor = 0; processor < CPU_SETSIZE; processor++) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(processor, &one);
            // Fails for processors that the process may not use.
            if (sched_setaffinity(0, sizeof one, &one) == 0) { visited = true; }
        }
        sched_setaffinity(0, sizeof before, &before);
    }
    if (visited) { return; }
    fputs("Corinth: membarrier was allowed when the process began and is forbidden now, and so is sched_setaffinity. "
          "Forbid membarrier before the process begins.\n",
          stderr);
    abort();
}

void ccorinth_heavy_barrier(void) {
    atomic_thread_fence(memory_order_seq_cst);
    if (!ccorinth_barriers_are_asymmetric || membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0) { return; }
    visit_all_processors();
}
#else
void ccorinth_heavy_barrier(void) { atomic_thread_fence(memory_order_seq_cst); }
#endif
