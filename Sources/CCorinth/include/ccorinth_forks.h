/// Whether this process was forked from one in which queues and threads of the library ran.
#ifndef CORINTH_FORKS_H
#define CORINTH_FORKS_H

#include <stdatomic.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/// How many forks, plus 1, are between this process and the one that has loaded the library, if they were watched.
extern _Atomic(uint32_t) ccorinth_forks;

/// Its value when a queue was first used; 0 before.
extern _Atomic(uint32_t) ccorinth_queue_forks;

/// Watches forks from now on, and returns their number plus 1.
uint32_t ccorinth_watch_forks(void);

/// Says on standard error, once in a process, that what was used before the fork runs nothing.
void ccorinth_report_fork(const char *_Nonnull what);

void ccorinth_note_other_queue_use(void);

#pragma GCC visibility pop

/// Called before a block is given to Dispatch, which runs none in a child of a process that had used it.
static inline __attribute__((always_inline)) void ccorinth_note_queue_use(void) {
    if (__builtin_expect(
            atomic_load_explicit(&ccorinth_queue_forks, memory_order_relaxed)
                != atomic_load_explicit(&ccorinth_forks, memory_order_relaxed),
            0)) {
        ccorinth_note_other_queue_use();
    }
}

/// Called before something is given to a thread, with what `ccorinth_watch_forks()` returned when the thread was started.
static inline __attribute__((always_inline)) void ccorinth_note_thread_use(uint32_t forks) {
    if (__builtin_expect(atomic_load_explicit(&ccorinth_forks, memory_order_relaxed) != forks, 0)) {
        ccorinth_report_fork("a ThreadScheduler");
    }
}

#endif
