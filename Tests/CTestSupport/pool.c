#define _GNU_SOURCE
#include "CTestSupport.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

// The runtime calls this hook instead of its own pool, if it is set.
typedef __attribute__((swiftcall)) void (*enqueue_original)(void *job);
typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, enqueue_original original);
typedef struct {
    void *identity;
    uintptr_t implementation;
} executor_reference;
typedef __attribute__((swiftcall)) void (*run_job)(void *job, executor_reference executor);

typedef struct entry {
    void *job;
    struct entry *next;
} entry;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t has_jobs = PTHREAD_COND_INITIALIZER;
static entry *oldest, **end = &oldest;
static bool is_started;
static _Thread_local bool is_pool_thread;
static _Atomic uint64_t jobs, jobs_of_task;
static _Atomic(void *) counted_task;
static run_job run;

static void *work(void *unused) {
    (void)unused;
    is_pool_thread = true;
    while (true) {
        pthread_mutex_lock(&mutex);
        while (!oldest) pthread_cond_wait(&has_jobs, &mutex);
        entry *first = oldest;
        oldest = first->next;
        if (!oldest) end = &oldest;
        pthread_mutex_unlock(&mutex);
        void *job = first->job;
        free(first);
        atomic_fetch_add(&jobs, 1);
        if (job == atomic_load(&counted_task)) atomic_fetch_add(&jobs_of_task, 1);
        // No actor: the executor of tasks that have none of their own.
        run(job, (executor_reference){NULL, 0});
    }
    return NULL;
}

static __attribute__((swiftcall)) void enqueue(void *job, enqueue_original original) {
    (void)original;
    entry *last = malloc(sizeof *last);
    *last = (entry){job, NULL};
    pthread_mutex_lock(&mutex);
    *end = last;
    end = &last->next;
    pthread_cond_signal(&has_jobs);
    pthread_mutex_unlock(&mutex);
}

static _Atomic(enqueue_hook) *hook(void) { return dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook"); }

bool test_begin_pool_of_one(void) {
    if (!hook()) return false;
    if (!is_started) {
        run = (run_job)dlsym(RTLD_DEFAULT, "swift_job_run");
        pthread_t thread;
        if (!run || pthread_create(&thread, NULL, work, NULL) != 0) return false;
        pthread_detach(thread);
        is_started = true;
    }
    atomic_store(hook(), enqueue);
    return true;
}

void test_end_pool_of_one(void) { atomic_store(hook(), NULL); }
bool test_is_pool_of_one(void) { return is_pool_thread; }
uint64_t test_pool_of_one_jobs(void) { return atomic_load(&jobs); }

void test_count_jobs(void *task) {
    atomic_store(&counted_task, task);
    atomic_store(&jobs_of_task, 0);
}

uint64_t test_counted_jobs(void) { return atomic_load(&jobs_of_task); }
