#define _GNU_SOURCE
#include "include/CFaults.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The allocator. The dynamic linker finds these before those of the C library, which have second names.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Atomic bool is_failing, is_counting;
static _Atomic uint64_t failed;
static _Atomic int64_t live, most;
static _Atomic uint64_t allocated;
static _Thread_local volatile sig_atomic_t inside_allocator;

static bool refuses(void) {
    if (!atomic_load_explicit(&is_failing, memory_order_relaxed)) return false;
    atomic_fetch_add(&failed, 1);
    errno = ENOMEM;
    return true;
}

static void *count(void *memory, int sign) {
    if (memory && atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        int64_t size = (int64_t)malloc_usable_size(memory);
        if (sign > 0) atomic_fetch_add_explicit(&allocated, (uint64_t)size, memory_order_relaxed);
        int64_t now = atomic_fetch_add(&live, sign * size);
        int64_t seen = atomic_load_explicit(&most, memory_order_relaxed);
        while (now > seen && !atomic_compare_exchange_weak(&most, &seen, now)) {}
    }
    return memory;
}

#define ALLOCATOR(call)                        \
    if (refuses()) return NULL;                \
    inside_allocator++;                        \
    void *memory = count(call, 1);             \
    inside_allocator--;                        \
    return memory;

void *malloc(size_t size) { ALLOCATOR(__libc_malloc(size)) }
void *calloc(size_t number, size_t size) { ALLOCATOR(__libc_calloc(number, size)) }
void *memalign(size_t alignment, size_t size) { ALLOCATOR(__libc_memalign(alignment, size)) }
void *aligned_alloc(size_t alignment, size_t size) { ALLOCATOR(__libc_memalign(alignment, size)) }

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

void *realloc(void *old, size_t size) {
    if (refuses()) return NULL;
    inside_allocator++;
    count(old, -1);
    void *memory = count(__libc_realloc(old, size), 1);
    inside_allocator--;
    return memory;
}

void free(void *memory) {
    inside_allocator++;
    count(memory, -1);
    __libc_free(memory);
    inside_allocator--;
}

void faults_set_allocations_fail(bool fail) { atomic_store(&is_failing, fail); }
uint64_t faults_failed_allocations(void) { return atomic_load(&failed); }
int64_t faults_live_bytes(void) { return atomic_load(&live); }
uint64_t faults_allocated_bytes(void) { return atomic_load(&allocated); }
int64_t faults_most_bytes(void) { return atomic_load(&most); }

void faults_begin_counting(void) {
    atomic_store(&live, 0);
    atomic_store(&most, 0);
    atomic_store(&is_counting, true);
}

int64_t faults_context_switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

// The clock.

static _Atomic int64_t clock_error;
static int (*true_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void find_clock(void) { true_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime"); }

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = true_clock ? true_clock(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += atomic_load(&clock_error);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

void faults_set_clock(int64_t seconds) { atomic_fetch_add(&clock_error, seconds); }

uint64_t faults_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

// Threads that stop.

enum { going, stopping, stopped, refused };
static _Atomic uint32_t phase;

static void wait_while(uint32_t value) { syscall(SYS_futex, &phase, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0); }
static void set_phase(uint32_t value) {
    atomic_store(&phase, value);
    syscall(SYS_futex, &phase, FUTEX_WAKE_PRIVATE, 8, NULL, NULL, 0);
}

static void stop_here(int number) {
    (void)number;
    int error = errno;
    if (inside_allocator) {
        set_phase(refused);
    } else {
        set_phase(stopped);
        while (atomic_load(&phase) == stopped) wait_while(stopped);
    }
    errno = error;
}

bool faults_stop(pthread_t thread) {
    struct sigaction action = {.sa_handler = stop_here, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    for (int attempt = 0; attempt < 1000; attempt++) {
        atomic_store(&phase, stopping);
        if (pthread_kill(thread, SIGUSR2)) return false;
        while (atomic_load(&phase) == stopping) wait_while(stopping);
        if (atomic_load(&phase) == stopped) return true;
        sched_yield();
    }
    return false;
}

void faults_resume(void) { set_phase(going); }

static faults_body handler;
static void *handler_argument;

static void handle(int number) {
    (void)number;
    int error = errno;
    bool isRefused = inside_allocator;
    if (!isRefused) handler(handler_argument);
    set_phase(isRefused ? refused : stopped);
    errno = error;
}

bool faults_interrupt(pthread_t thread, faults_body body, void *argument) {
    handler = body;
    handler_argument = argument;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    atomic_store(&phase, stopping);
    if (pthread_kill(thread, SIGUSR1)) return false;
    while (atomic_load(&phase) == stopping) wait_while(stopping);
    return atomic_load(&phase) == stopped;
}

// The gate.

static _Atomic uint32_t is_open;

void faults_wait_at_gate(void) {
    while (!atomic_load(&is_open)) syscall(SYS_futex, &is_open, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

void faults_open_gate(void) {
    atomic_store(&is_open, 1);
    syscall(SYS_futex, &is_open, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

// The process.

bool faults_limit_memory(uint64_t bytes) {
    // An arena of the allocator takes 64 MiB of addresses, used or not. The stack of a thread takes 8 MiB, and Dispatch may have
    // 255 threads.
    mallopt(M_ARENA_MAX, 1);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long size, resident, shared, text, library, data;
    if (!file) return false;
    bool isRead = fscanf(file, "%lu %lu %lu %lu %lu %lu", &size, &resident, &shared, &text, &library, &data) == 6;
    fclose(file);
    struct rlimit limit = {.rlim_cur = size * 4096 + bytes, .rlim_max = size * 4096 + bytes};
    return isRead && setrlimit(RLIMIT_AS, &limit) == 0;
}

struct start {
    faults_body body;
    void *argument;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.argument);
    return NULL;
}

bool faults_start_thread(uint64_t stack, faults_body body, void *argument, pthread_t *thread) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    struct start *start = malloc(sizeof *start);
    *start = (struct start){body, argument};
    int error = pthread_create(thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (error) free(start);
    return error == 0;
}

bool faults_be_nice(int niceness) { return setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), niceness) == 0; }

bool faults_use_one_processor(void) {
    cpu_set_t set, one;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof set, &set)) return false;
    for (int number = 0; number < CPU_SETSIZE; number++) {
        if (CPU_ISSET(number, &set)) {
            CPU_SET(number, &one);
            break;
        }
    }
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

// Threads. Whoever starts one, Dispatch too, calls this first.

static _Atomic bool has_no_threads;

int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict argument) {
    typedef int start(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static _Atomic(start *) next;
    if (atomic_load(&has_no_threads)) return EAGAIN;
    start *found = atomic_load(&next);
    if (found == NULL) {
        found = (start *)dlsym(RTLD_NEXT, "pthread_create");
        atomic_store(&next, found);
    }
    return found(thread, attributes, body, argument);
}

void faults_forbid_threads(bool forbids) { atomic_store(&has_no_threads, forbids); }
