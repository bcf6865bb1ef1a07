/// Asymmetric barriers: of two threads that must not miss each other's stores, the frequent one executes a light barrier, which
/// is no instruction, and the rare one a heavy barrier, which executes a full barrier on the processors of all threads
/// (`membarrier`, Linux 4.14). Elsewhere both are full barriers.
#ifndef CORINTH_BARRIERS_H
#define CORINTH_BARRIERS_H

#include <stdatomic.h>
#include <stdbool.h>

/// Whether a heavy barrier reaches other threads. Written before `main`, while the process has one thread.
extern bool ccorinth_barriers_are_asymmetric;

static inline bool ccorinth_has_asymmetric_barriers(void) { return ccorinth_barriers_are_asymmetric; }

static inline __attribute__((always_inline)) void ccorinth_light_barrier(void) {
    if (__builtin_expect(ccorinth_barriers_are_asymmetric, true)) {
        atomic_signal_fence(memory_order_seq_cst);
    } else {
        atomic_thread_fence(memory_order_seq_cst);
    }
}

/// The same, for code that only runs where barriers are asymmetric.
static inline __attribute__((always_inline)) void ccorinth_compiler_barrier(void) {
    atomic_signal_fence(memory_order_seq_cst);
}

/// A system call: some 0.3 µs with one running thread, some microseconds with many.
void ccorinth_heavy_barrier(void);

#endif
