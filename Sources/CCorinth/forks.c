#include "CCorinth.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

_Atomic(uint32_t) ccorinth_forks = 1;
_Atomic(uint32_t) ccorinth_queue_forks = 0;

// The child has one thread, the one that has called fork.
static void note_fork(void) { atomic_fetch_add_explicit(&ccorinth_forks, 1, memory_order_relaxed); }

static void register_handler(void) { pthread_atfork(NULL, NULL, note_fork); }

uint32_t ccorinth_watch_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_handler);
    return atomic_load_explicit(&ccorinth_forks, memory_order_relaxed);
}

void ccorinth_report_fork(const char *what) {
    static _Atomic(uint32_t) reported = 0;
    uint32_t forks = atomic_load_explicit(&ccorinth_forks, memory_order_relaxed);
    if (atomic_exchange_explicit(&reported, forks, memory_order_relaxed) == forks) { return; }
    char text[512];
    int length = snprintf(
        text, sizeof text,
        "Corinth: process %ld was forked from one that had used %s, whose threads don't exist here: it runs nothing. "
        "Call exec after fork, or fork before the first use; see “Forks” in the documentation's “Embedding in a service”.\n",
        (long)getpid(), what);
    if (length > 0) { ccorinth_write_error((const uint8_t *)text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1); }
}

void ccorinth_note_other_queue_use(void) {
    uint32_t first = 0, forks = ccorinth_watch_forks();
    bool is_first = atomic_compare_exchange_strong_explicit(
        &ccorinth_queue_forks, &first, forks, memory_order_relaxed, memory_order_relaxed);
    if (!is_first && first != forks) { ccorinth_report_fork("a queue"); }
}
