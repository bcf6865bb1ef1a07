// A feed in a thread, and an event loop that trades: they share no lock, and the loop gets the latest when it is late.
//
//     cc feed.c -o feed $(pkg-config --cflags --libs corinth) -pthread && ./feed
#include <corinth.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// An event loop as a scheduler: `schedule` hands a task over, and the loop runs it. A pipe is enough: a burst of ticks is one task.
static int to_loop[2];

static void schedule(void *context, corinth_task *task) {
    (void)context;
    if (write(to_loop[1], &task, sizeof task) != sizeof task) abort();
}

// What the loop's thread alone uses.
static unsigned count;
static unsigned long long sum;
static bool is_over;

static bool is_even(void *context, corinth_value tick) { return (void)context, tick.bits % 2 == 0; }

static void trade(void *context, corinth_value tick) {
    (void)context;
    count++;
    sum += tick.bits;
}

static void end(void *context, corinth_end_kind kind, const corinth_error *error) {
    (void)context;
    if (kind == CORINTH_FAILED) fprintf(stderr, "the feed failed: %s\n", error->text);
    is_over = true;
}

static void *feed(void *input) {
    for (unsigned i = 0; i < 1000; i++) corinth_send(input, (corinth_value){.bits = i});
    corinth_end(input, CORINTH_COMPLETED, NULL);
    return NULL;
}

int main(void) {
    if (pipe(to_loop) != 0) return 1;
    corinth_input *input;
    corinth_signal *ticks = corinth_pipe(NULL, &input);
    corinth_signal *even = corinth_filter(ticks, is_even, NULL, NULL);
    corinth_scheduler *loop = corinth_scheduler_create(schedule, NULL, NULL);
    // Up to 4,096 ticks wait for the loop. After that the oldest is dropped.
    corinth_signal *here = corinth_observe_on(even, loop, &(corinth_buffering){CORINTH_DROP_OLDEST, 4096, 0, NULL});
    corinth_disposable *observation = corinth_observe(here, &(corinth_observer){.value = trade, .end = end});

    pthread_t thread;
    if (pthread_create(&thread, NULL, feed, input) != 0) return 1;
    while (!is_over) {
        corinth_task *task;
        if (read(to_loop[0], &task, sizeof task) != sizeof task) return 1;
        corinth_task_run(task);
    }
    pthread_join(thread, NULL);
    printf("%u ticks, sum %llu\n", count, sum);

    corinth_release(observation), corinth_release(here), corinth_release(loop), corinth_release(even);
    corinth_release(ticks), corinth_release(input);
    return 0;
}
