#define _GNU_SOURCE
#include "CBenchmarkSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

uint64_t bench_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_thread_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bench_process_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bench_spin(uint64_t rounds) {
    for (uint64_t round = 0; round < rounds; round++) __asm__ volatile("" : : "r"(round));
}

void bench_saturate(uint64_t rounds) {
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        a += 1, b += 1, c += 1, d += 1, e += 1, f += 1, g += 1, h += 1;
        // Each addition is done, in each round.
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
    }
}

bench_count bench_context_switches(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return (bench_count){0, false};
    return (bench_count){(uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw, true};
}

bench_count bench_involuntary_switches(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return (bench_count){0, false};
    return (bench_count){(uint64_t)usage.ru_nivcsw, true};
}

bench_count bench_page_faults(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return (bench_count){0, false};
    return (bench_count){(uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt, true};
}

bool bench_pin_thread(uint32_t core) {
#ifdef __linux__
    cpu_set_t allowed, chosen;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) == 0) return false;
    int wanted = (int)(core % (uint32_t)CPU_COUNT(&allowed));
    for (int number = 0; number < CPU_SETSIZE; number++) {
        if (!CPU_ISSET(number, &allowed) || wanted-- > 0) continue;
        CPU_ZERO(&chosen);
        CPU_SET(number, &chosen);
        return pthread_setaffinity_np(pthread_self(), sizeof chosen, &chosen) == 0;
    }
#endif
    return false;
}

typedef struct {
    char name[16];
    void (*body)(void *);
    void *context;
} bench_thread;

static void *bench_thread_main(void *argument) {
    bench_thread thread = *(bench_thread *)argument;
    free(argument);
#ifdef __linux__
    pthread_setname_np(pthread_self(), thread.name);
#else
    pthread_setname_np(thread.name);
#endif
    thread.body(thread.context);
    return NULL;
}

bool bench_thread_start(
    const char *name, int64_t stack_bytes, void (*body)(void *), void *context, uintptr_t *thread) {
    bench_thread *start = calloc(1, sizeof *start);
    if (start == NULL) return false;
    start->body = body;
    start->context = context;
    strncpy(start->name, name, sizeof start->name - 1);
    pthread_t handle;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (stack_bytes > 0) pthread_attr_setstacksize(&attributes, (size_t)stack_bytes);
    int error = pthread_create(&handle, &attributes, bench_thread_main, start);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        free(start);
        return false;
    }
    *thread = (uintptr_t)handle;
    return true;
}

void bench_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void bench_lock(void) { pthread_mutex_lock(&mutex); }

void bench_unlock(void) { pthread_mutex_unlock(&mutex); }

void bench_end_with_parent(void) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int bench_wait_readable(int descriptor, int milliseconds) {
    struct pollfd waited = {descriptor, POLLIN, 0};
    int ready = poll(&waited, 1, milliseconds);
    // A signal shortens the wait. The caller checks the clock and waits again.
    if (ready < 0) return errno == EINTR ? 0 : -1;
    return ready > 0;
}

void bench_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int bench_terminal_columns(int descriptor) {
    struct winsize size = {0};
    if (!isatty(descriptor)) return -1;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int bench_lock_file(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return -1;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        char text[16] = {0};
        int other = read(file, text, sizeof text - 1) > 0 ? atoi(text) : 0;
        close(file);
        return other > 0 ? other : -1;
    }
    // The descriptor stays open: the lock ends with the process.
    if (ftruncate(file, 0) == 0) dprintf(file, "%d\n", (int)getpid());
    return 0;
}

int bench_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return errno != 0 ? errno : EIO;
}

void bench_end_by_signal(int number) {
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), number);
}

void bench_kill(int process) {
    if (process > 0) kill(process, SIGKILL);
}
