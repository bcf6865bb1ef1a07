#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"

// The bias isn't 0, which is an idle word. Whatever is below the highest address may be low: see `ccorinth_stack_may_be_low`.
_Thread_local ccorinth_thread_state ccorinth_thread = {.bias = 8, .low_stack = UINTPTR_MAX};

uint64_t ccorinth_new_thread_number(void) {
    static _Atomic(uint64_t) last = 0;
    ccorinth_enter_thread();
    return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

static bool keeps_main_order = false;

void ccorinth_keep_main_order(void) { keeps_main_order = true; }

bool ccorinth_keeps_main_order(void) { return keeps_main_order; }

#if defined(__linux__) || defined(__APPLE__)
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

void *ccorinth_map(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// Not inlined: its frame is the lowest of the stack.
__attribute__((noinline)) bool ccorinth_stack_is_low(void) {
    ccorinth_thread_state *state = &ccorinth_thread;
    if (state->low_stack == UINTPTR_MAX) {
        uintptr_t lowest = 0;
        size_t size = 0;
#if defined(__APPLE__)
        size = pthread_get_stacksize_np(pthread_self());
        lowest = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - size;
#else
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            void *address = NULL;
            pthread_attr_getstack(&attributes, &address, &size);
            pthread_attr_destroy(&attributes);
            lowest = (uintptr_t)address;
        }
#endif
        size_t margin = size / 4 < 32 << 10 ? size / 4 : 32 << 10;
        uintptr_t end = (lowest & ~(uintptr_t)1023) + (margin & ~(size_t)1023);
        state->low_stack = size == 0 ? 0 : end | margin >> 10;
    }
    // On a separate stack, such as a coroutine's or a sanitizer's, it is unknown. Below this one, the difference wraps around.
    uintptr_t left = (state->low_stack & ~(uintptr_t)1023) - (uintptr_t)__builtin_frame_address(0);
    return left < (state->low_stack & 1023) << 10;
}

uint64_t ccorinth_describe_thread(char *name, uint64_t size) {
    if (pthread_getname_np(pthread_self(), name, size) != 0) { name[0] = 0; }
#if defined(__APPLE__)
    uint64_t number = 0;
    pthread_threadid_np(NULL, &number);
    return number;
#else
    return (uint64_t)syscall(SYS_gettid);
#endif
}

typedef struct {
    void (*body)(void *);
    void *context;
    const ccorinth_thread_options *options;
    char name[64];
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    // Whether the thread has its options, and the error if it couldn't get them.
    bool is_ready;
    int error;
} ccorinth_thread_start;

/// Gives the calling thread what it is to have. Returns 0, or a system error number.
static int ccorinth_apply(const ccorinth_thread_options *options) {
    int error = 0;
#if defined(__linux__)
    // Timers with a slack of 1 ns instead of the usual 50 µs.
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    if (options->processor_count > 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (size_t index = 0; index < options->processor_count; index++) { CPU_SET(options->processors[index], &set); }
        error = pthread_setaffinity_np(pthread_self(), sizeof set, &set);
        if (error != 0) { return error; }
    }
#endif
    switch (options->scheduling) {
    case ccorinth_inherited: break;
    case ccorinth_nice:
#if defined(__linux__)
        if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), options->priority) != 0) { error = errno; }
#endif
        break;
    case ccorinth_fifo:
    case ccorinth_round_robin: {
        struct sched_param parameter = {.sched_priority = options->priority};
        error = pthread_setschedparam(
            pthread_self(), options->scheduling == ccorinth_fifo ? SCHED_FIFO : SCHED_RR, &parameter);
    }
    }
    return error;
}

static void *ccorinth_thread_main(void *argument) {
    ccorinth_thread_start *start = argument;
    void (*body)(void *) = start->body;
    void *context = start->context;
#if defined(__APPLE__)
    pthread_setname_np(start->name);
#else
    start->name[15] = 0;  // Longer names are refused.
    pthread_setname_np(pthread_self(), start->name);
#endif
    const ccorinth_thread_options defaults = {0};
    int error = ccorinth_apply(start->options == NULL ? &defaults : start->options);
    if (start->options == NULL) {
        // Nobody waits for it.
        free(start);
    } else {
        // The starting thread frees it as soon as the mutex is unlocked.
        pthread_mutex_lock(&start->mutex);
        start->is_ready = true;
        start->error = error;
        pthread_cond_signal(&start->condition);
        pthread_mutex_unlock(&start->mutex);
        if (error != 0) { return NULL; }
    }
    body(context);
    return NULL;
}

void ccorinth_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
}

int ccorinth_start_thread(
    const char *name, const ccorinth_thread_options *options, void (*body)(void *), void *context) {
    ccorinth_thread_start *start = calloc(1, sizeof *start);
    if (start == NULL) { return ENOMEM; }
    start->body = body;
    start->context = context;
    start->options = options;
    strncpy(start->name, name, sizeof start->name - 1);
    pthread_mutex_init(&start->mutex, NULL);
    pthread_cond_init(&start->condition, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // By default as large as a main thread's stack; some systems have much smaller defaults.
    size_t stack_size = options != NULL && options->stack_size > 0 ? options->stack_size : 8 << 20;
    int error = pthread_attr_setstacksize(&attributes, stack_size);
    pthread_t thread;
    bool is_started = error == 0 && (error = pthread_create(&thread, &attributes, ccorinth_thread_main, start)) == 0;
    pthread_attr_destroy(&attributes);
    if (is_started && options == NULL) { return 0; }
    if (is_started) {
        pthread_mutex_lock(&start->mutex);
        while (!start->is_ready) { pthread_cond_wait(&start->condition, &start->mutex); }
        pthread_mutex_unlock(&start->mutex);
        error = start->error;
    }
    pthread_mutex_destroy(&start->mutex);
    pthread_cond_destroy(&start->condition);
    free(start);
    return error;
}
#else
#include <stdlib.h>

void *ccorinth_map(size_t size) { return calloc(1, size); }

bool ccorinth_stack_is_low(void) { return false; }

uint64_t ccorinth_describe_thread(char *name, uint64_t size) {
    if (size > 0) { name[0] = 0; }
    return 0;
}
#endif

void ccorinth_write_error(const uint8_t *text, size_t size) {
    while (size > 0) {
        ssize_t written = write(STDERR_FILENO, text, size);
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) { return; }
        text += written;
        size -= (size_t)written;
    }
}

#if defined(__linux__)
bool ccorinth_may_use(int32_t processor) {
    cpu_set_t set;
    if (processor < 0 || processor >= CPU_SETSIZE) { return false; }
    if (sched_getaffinity(0, sizeof set, &set) != 0) { return false; }
    return CPU_ISSET(processor, &set);
}

bool ccorinth_can_bind(void) { return true; }
#else
bool ccorinth_may_use(int32_t processor) { return processor >= 0; }

bool ccorinth_can_bind(void) { return false; }
#endif
