// What the tests share: checks that count, an event loop as a scheduler, and contexts that count their release.
#ifndef CHECK_H
#define CHECK_H

#include <corinth.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_int checks __attribute__((unused));

#define CHECK(condition) \
    do { \
        atomic_fetch_add(&checks, 1); \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, __func__, #condition); \
            exit(1); \
        } \
    } while (0)

#define EQUAL(value, expected) \
    do { \
        long long value_ = (long long)(value), expected_ = (long long)(expected); \
        atomic_fetch_add(&checks, 1); \
        if (value_ != expected_) { \
            fprintf(stderr, "%s:%d: %s: %s is %lld, not %lld\n", __FILE__, __LINE__, __func__, #value, value_, expected_); \
            exit(1); \
        } \
    } while (0)

// Waits for what another thread does, for at most 20 seconds.
#define EVENTUALLY(condition) \
    do { \
        for (int left_ = 20000; left_ > 0 && !(condition); left_--) usleep(1000); \
        CHECK(condition); \
    } while (0)

static inline corinth_value word(uint64_t bits) { return (corinth_value){bits, NULL}; }

// Counts how often contexts and owners were released.
static inline void count_release(void *counter) { atomic_fetch_add((atomic_int *)counter, 1); }

static inline corinth_value owned(uint64_t bits, atomic_int *released) {
    return (corinth_value){bits, corinth_owner_create(released, count_release)};
}

// Sends the numbers from 0, each with an owner.
static inline void send_owned(corinth_input *input, int count, atomic_int *released) {
    for (int i = 0; i < count; i++) {
        corinth_value value = owned((uint64_t)i, released);
        corinth_send(input, value);
        corinth_release(value.owner);
    }
}

// An event loop: one thread that runs tasks in their order.
struct loop {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    corinth_task **tasks;
    size_t count, capacity;
    bool has_ended;
    pthread_t thread;
};

static inline void loop_schedule(void *context, corinth_task *task) {
    struct loop *loop = context;
    pthread_mutex_lock(&loop->mutex);
    if (loop->count == loop->capacity) {
        loop->capacity = loop->capacity * 2 + 16;
        loop->tasks = realloc(loop->tasks, loop->capacity * sizeof *loop->tasks);
    }
    loop->tasks[loop->count++] = task;
    pthread_cond_signal(&loop->changed);
    pthread_mutex_unlock(&loop->mutex);
}

static inline void *loop_run(void *context) {
    struct loop *loop = context;
    pthread_mutex_lock(&loop->mutex);
    for (;;) {
        while (loop->count == 0 && !loop->has_ended) pthread_cond_wait(&loop->changed, &loop->mutex);
        if (loop->count == 0) break;
        corinth_task **tasks = loop->tasks;
        size_t count = loop->count;
        loop->tasks = NULL, loop->count = loop->capacity = 0;
        pthread_mutex_unlock(&loop->mutex);
        for (size_t i = 0; i < count; i++) corinth_task_run(tasks[i]);
        free(tasks);
        pthread_mutex_lock(&loop->mutex);
    }
    pthread_mutex_unlock(&loop->mutex);
    return NULL;
}

static inline void loop_begin(struct loop *loop) {
    memset(loop, 0, sizeof *loop);
    pthread_mutex_init(&loop->mutex, NULL);
    pthread_cond_init(&loop->changed, NULL);
    pthread_create(&loop->thread, NULL, loop_run, loop);
}

static inline void loop_end(struct loop *loop) {
    pthread_mutex_lock(&loop->mutex);
    loop->has_ended = true;
    pthread_cond_signal(&loop->changed);
    pthread_mutex_unlock(&loop->mutex);
    pthread_join(loop->thread, NULL);
    free(loop->tasks);
}

// Writes down what it observes.
struct seen {
    uint64_t values[64];
    atomic_int count, ends, released;
    int end;
    int32_t code;
    char text[64];
    pthread_t thread;
};

static inline void see_value(void *context, corinth_value value) {
    struct seen *seen = context;
    int count = atomic_load(&seen->count);
    if (count < 64) seen->values[count] = value.bits;
    seen->thread = pthread_self();
    atomic_store(&seen->count, count + 1);
}

static inline void see_end(void *context, corinth_end_kind end, const corinth_error *error) {
    struct seen *seen = context;
    seen->end = (int)end;
    if (error != NULL) {
        seen->code = error->code;
        snprintf(seen->text, sizeof seen->text, "%s", error->text);
    }
    atomic_fetch_add(&seen->ends, 1);
}

static inline void see_release(void *context) { atomic_fetch_add(&((struct seen *)context)->released, 1); }

static inline corinth_observer seeing(struct seen *seen) {
    memset(seen, 0, sizeof *seen);
    return (corinth_observer){seen, see_value, see_end, see_release};
}

#endif
