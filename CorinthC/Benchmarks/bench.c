// The rows in C: bench ROUNDS. Prints, for each row, its name and the nanoseconds of an event in each round.
#include <corinth.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static uint64_t sum;

// A one-shot gate.
static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_changed = PTHREAD_COND_INITIALIZER;
static int gate_opened;

static void open_gate(void) {
    pthread_mutex_lock(&gate_mutex);
    gate_opened = 1;
    pthread_cond_signal(&gate_changed);
    pthread_mutex_unlock(&gate_mutex);
}

static void pass_gate(void) {
    pthread_mutex_lock(&gate_mutex);
    while (!gate_opened) pthread_cond_wait(&gate_changed, &gate_mutex);
    gate_opened = 0;
    pthread_mutex_unlock(&gate_mutex);
}

static void add(void *context, corinth_value value) {
    (void)context;
    sum += value.bits;
}

static void end(void *context, corinth_end_kind kind, const corinth_error *error) {
    (void)context, (void)kind, (void)error;
    open_gate();
}

static corinth_value increment(void *context, corinth_value value) {
    (void)context;
    value.bits++;
    return value;
}

static void forget(void *context) { free(context); }

static double corinth_observed(int n, int maps, int is_owned) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    for (int i = 0; i < maps; i++) {
        corinth_signal *mapped = corinth_map(signal, increment, NULL, NULL);
        corinth_release(signal);
        signal = mapped;
    }
    corinth_disposable *observation = corinth_observe(signal, &(corinth_observer){.value = add});
    double begin = now();
    for (int i = 0; i < n; i++) {
        corinth_value value = {(uint64_t)i, NULL};
        if (is_owned) value.owner = corinth_owner_create(malloc(32), forget);
        corinth_send(input, value);
        corinth_release(value.owner);
    }
    double time = now() - begin;
    corinth_dispose(observation);
    corinth_release(observation), corinth_release(signal), corinth_release(input);
    return time / n;
}

static double row_send(int n) { return corinth_observed(n, 0, 0); }
static double row_map(int n) { return corinth_observed(n, 1, 0); }
static double row_owned(int n) { return corinth_observed(n, 0, 1); }

// The same by hand: a list of callbacks under a mutex.
struct listener {
    void (*call)(void *context, uint64_t bits);
    void *context;
    struct listener *next;
};

static void add_bits(void *context, uint64_t bits) {
    (void)context;
    sum += bits;
}

static void increment_and_call(void *context, uint64_t bits) {
    struct listener *next = context;
    next->call(next->context, bits + 1);
}

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;

static double mutex_observed(int n, int maps, int is_owned) {
    struct listener last = {add_bits, NULL, NULL}, first = {increment_and_call, &last, NULL};
    struct listener *volatile list = maps ? &first : &last;
    double begin = now();
    for (int i = 0; i < n; i++) {
        void *volatile memory = is_owned ? malloc(32) : NULL;
        pthread_mutex_lock(&list_mutex);
        for (struct listener *each = list; each != NULL; each = each->next) each->call(each->context, (uint64_t)i);
        pthread_mutex_unlock(&list_mutex);
        free(memory);
    }
    return (now() - begin) / n;
}

static double row_mutex_send(int n) { return mutex_observed(n, 0, 0); }
static double row_mutex_map(int n) { return mutex_observed(n, 1, 0); }
static double row_mutex_owned(int n) { return mutex_observed(n, 0, 1); }

// An event loop as a scheduler, as by hand: tasks in a list, a mutex and a condition.
static corinth_task *tasks[64];
static unsigned first_task, last_task;
static int loop_ends;
static pthread_mutex_t loop_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loop_changed = PTHREAD_COND_INITIALIZER;

static void loop_schedule(void *context, corinth_task *task) {
    (void)context;
    pthread_mutex_lock(&loop_mutex);
    tasks[last_task++ % 64] = task;
    pthread_cond_signal(&loop_changed);
    pthread_mutex_unlock(&loop_mutex);
}

static void *loop_run(void *context) {
    (void)context;
    for (;;) {
        pthread_mutex_lock(&loop_mutex);
        while (first_task == last_task && !loop_ends) pthread_cond_wait(&loop_changed, &loop_mutex);
        if (first_task == last_task) break;
        corinth_task *task = tasks[first_task++ % 64];
        pthread_mutex_unlock(&loop_mutex);
        corinth_task_run(task);
    }
    pthread_mutex_unlock(&loop_mutex);
    return NULL;
}

static double hop(int n, corinth_scheduler *scheduler) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    corinth_signal *there = corinth_observe_on(signal, scheduler, NULL);
    corinth_disposable *observation = corinth_observe(there, &(corinth_observer){.value = add, .end = end});
    double begin = now();
    for (int i = 0; i < n; i++) corinth_send(input, (corinth_value){(uint64_t)i, NULL});
    corinth_end(input, CORINTH_COMPLETED, NULL);
    pass_gate();
    double time = now() - begin;
    corinth_release(observation), corinth_release(there), corinth_release(signal), corinth_release(input);
    corinth_release(scheduler);
    return time / n;
}

static double row_queue(int n) { return hop(n, corinth_queue_create("bench")); }
static double row_thread(int n) { return hop(n, corinth_thread_create("bench", CORINTH_SPIN_THEN_PARK, -1)); }

static double row_loop(int n) {
    pthread_t thread;
    loop_ends = 0;
    pthread_create(&thread, NULL, loop_run, NULL);
    double time = hop(n, corinth_scheduler_create(loop_schedule, NULL, NULL));
    pthread_mutex_lock(&loop_mutex);
    loop_ends = 1;
    pthread_cond_signal(&loop_changed);
    pthread_mutex_unlock(&loop_mutex);
    pthread_join(thread, NULL);
    return time;
}

// The same by hand: a ring of as many, a mutex, two conditions.
enum { CAPACITY = 16384 };
static uint64_t ring[CAPACITY];
static unsigned ring_first, ring_last;
static pthread_mutex_t ring_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ring_filled = PTHREAD_COND_INITIALIZER, ring_emptied = PTHREAD_COND_INITIALIZER;

static void *ring_run(void *count) {
    for (int left = *(int *)count; left > 0; left--) {
        pthread_mutex_lock(&ring_mutex);
        while (ring_first == ring_last) pthread_cond_wait(&ring_filled, &ring_mutex);
        uint64_t value = ring[ring_first++ % CAPACITY];
        pthread_cond_signal(&ring_emptied);
        pthread_mutex_unlock(&ring_mutex);
        sum += value;
    }
    open_gate();
    return NULL;
}

static double row_ring(int n) {
    pthread_t thread;
    pthread_create(&thread, NULL, ring_run, &n);
    double begin = now();
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&ring_mutex);
        while (ring_last - ring_first == CAPACITY) pthread_cond_wait(&ring_emptied, &ring_mutex);
        ring[ring_last++ % CAPACITY] = (uint64_t)i;
        pthread_cond_signal(&ring_filled);
        pthread_mutex_unlock(&ring_mutex);
    }
    pass_gate();
    double time = now() - begin;
    pthread_join(thread, NULL);
    return time / n;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        double (*run)(int n);
        int events;
    } rows[] = {
        {"C, observed: Corinth", row_send, 2000000},
        {"C, observed: callbacks under a mutex", row_mutex_send, 2000000},
        {"C, mapped and observed: Corinth", row_map, 2000000},
        {"C, mapped and observed: callbacks under a mutex", row_mutex_map, 2000000},
        {"C, a value on the heap: Corinth, with an owner", row_owned, 500000},
        {"C, a value on the heap: callbacks under a mutex", row_mutex_owned, 500000},
        {"C, to a thread, bounded: Corinth, a queue", row_queue, 500000},
        {"C, to a thread, bounded: Corinth, its thread", row_thread, 500000},
        {"C, to a thread, bounded: Corinth, a loop in C", row_loop, 500000},
        {"C, to a thread, bounded: a ring, a mutex, conditions", row_ring, 500000},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    int rounds = argc > 1 ? atoi(argv[1]) : 5;
    static double times[ROWS][64];
    if (rounds < 1 || rounds > 64) return 2;
    // In turn, so that what happens to the machine happens to all.
    for (int round = -1; round < rounds; round++) {
        for (int row = 0; row < ROWS; row++) {
            double time = rows[row].run(round < 0 ? rows[row].events / 10 : rows[row].events);
            if (round >= 0) times[row][round] = time;
        }
    }
    for (int row = 0; row < ROWS; row++) {
        printf("%s", rows[row].name);
        for (int round = 0; round < rounds; round++) printf("\t%.1f", times[row][round]);
        printf("\n");
    }
    return sum == 0;
}
