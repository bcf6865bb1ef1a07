// Every function of corinth.h, and what it promises.
#include <errno.h>
#include <sys/resource.h>

#include "check.h"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

static void versions(void) {
    EQUAL(corinth_version(), (CORINTH_VERSION_MAJOR * 1000 + CORINTH_VERSION_MINOR) * 1000 + CORINTH_VERSION_PATCH);
    corinth_retain(NULL);
    corinth_release(NULL);
    corinth_dispose(NULL);
}

static void events(void) {
    for (int end = CORINTH_COMPLETED; end <= CORINTH_INTERRUPTED; end++) {
        corinth_input *input;
        corinth_signal *signal = corinth_pipe(NULL, &input);
        struct seen seen;
        corinth_observer observer = seeing(&seen);
        corinth_disposable *observation = corinth_observe(signal, &observer);
        corinth_send(input, word(7));
        CHECK(corinth_try_send(input, word(UINT64_MAX)));
        EQUAL(seen.count, 2);
        CHECK(seen.values[0] == 7 && seen.values[1] == UINT64_MAX);
        corinth_error error = {-3, "no feed"};
        corinth_end(input, (corinth_end_kind)end, &error);
        EQUAL(seen.ends, 1);
        EQUAL(seen.end, end);
        EQUAL(seen.code, end == CORINTH_FAILED ? -3 : 0);
        CHECK(strcmp(seen.text, end == CORINTH_FAILED ? "no feed" : "") == 0);
        EQUAL(seen.released, 1);
        corinth_send(input, word(8));  // E1
        corinth_end(input, CORINTH_COMPLETED, NULL);
        EQUAL(seen.count, 2);
        EQUAL(seen.ends, 1);

        // S4
        struct seen late;
        observer = seeing(&late);
        corinth_disposable *over = corinth_observe(signal, &observer);
        EQUAL(late.ends, 1);
        EQUAL(late.end, CORINTH_INTERRUPTED);
        EQUAL(late.released, 1);
        corinth_dispose(over);
        corinth_release(over);
        corinth_dispose(observation);
        corinth_dispose(observation);
        corinth_release(observation);
        corinth_release(signal);
        corinth_release(input);
    }
    // An error without a text, and no error.
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_release(corinth_observe(signal, &observer));
    corinth_end(input, CORINTH_FAILED, &(corinth_error){5, NULL});
    EQUAL(seen.code, 5);
    CHECK(seen.text[0] == 0);
    corinth_release(signal);
    corinth_release(input);
}

// The last release of the input interrupts; that of the signal's and the observation's handles ends nothing.
static void lifetimes(void) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_release(corinth_observe(signal, &observer));
    corinth_release(signal);
    corinth_send(input, word(1));
    EQUAL(seen.count, 1);
    corinth_retain(input);
    corinth_release(input);
    EQUAL(seen.ends, 0);
    corinth_release(input);
    EQUAL(seen.end, CORINTH_INTERRUPTED);
    EQUAL(seen.released, 1);
}

static void nothing_observed(void) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    corinth_observer observer = {NULL, NULL, NULL, NULL};
    corinth_disposable *observation = corinth_observe(signal, &observer);
    corinth_send(input, word(1));
    corinth_end(input, CORINTH_COMPLETED, NULL);
    corinth_release(observation);
    corinth_release(signal);
    corinth_release(input);
}

static corinth_value twice(void *context, corinth_value value) {
    (void)context;
    return word(value.bits * 2);
}

static corinth_value same(void *context, corinth_value value) {
    (void)context;
    corinth_retain(value.owner);
    return value;
}

static bool is_odd(void *context, corinth_value value) {
    (void)context;
    return value.bits % 2 == 1;
}

static void operators(void) {
    corinth_input *inputs[2];
    corinth_signal *sources[2] = {corinth_pipe(NULL, &inputs[0]), corinth_pipe(NULL, &inputs[1])};
    corinth_signal *merged = corinth_merge(sources, 2);
    atomic_int released = 0;
    corinth_signal *odd = corinth_filter(merged, is_odd, &released, count_release);
    corinth_signal *doubled = corinth_map(odd, twice, &released, count_release);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_disposable *observation = corinth_observe(doubled, &observer);
    for (int i = 0; i < 6; i++) corinth_send(inputs[i % 2 == 0], word((uint64_t)i));
    EQUAL(seen.count, 3);
    CHECK(seen.values[0] == 2 && seen.values[1] == 6 && seen.values[2] == 10);
    corinth_end(inputs[0], CORINTH_COMPLETED, NULL);
    EQUAL(seen.ends, 0);
    corinth_end(inputs[1], CORINTH_COMPLETED, NULL);
    EQUAL(seen.ends, 1);
    for (int i = 0; i < 2; i++) corinth_release(sources[i]), corinth_release(inputs[i]);
    corinth_release(merged), corinth_release(odd), corinth_release(doubled), corinth_release(observation);
    EQUAL(released, 2);

    // Nothing merged completes.
    corinth_signal *none = corinth_merge(sources, 0);
    observer = seeing(&seen);
    corinth_release(corinth_observe(none, &observer));
    EQUAL(seen.ends, 1);
    corinth_release(none);
}

struct kept {
    corinth_value value;
};

static void keep(void *context, corinth_value value) {
    struct kept *kept = context;
    corinth_release(kept->value.owner);
    corinth_retain(value.owner);
    kept->value = value;
}

// An owner is released once: after delivery, after a drop, when the last one who keeps it lets go.
static void owners(void) {
    atomic_int released = 0;
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    corinth_signal *passed = corinth_map(signal, same, NULL, NULL);
    corinth_value value = owned(1, &released);
    corinth_send(input, value);  // nobody observes
    EQUAL(released, 0);
    corinth_release(value.owner);
    EQUAL(released, 1);

    struct kept kept = {{0, NULL}};
    corinth_observer observer = {.context = &kept, .value = keep};
    corinth_disposable *observation = corinth_observe(passed, &observer);
    value = owned(2, &released);
    corinth_send(input, value);
    corinth_release(value.owner);
    EQUAL(released, 1);
    CHECK(kept.value.bits == 2);
    value = owned(3, &released);
    corinth_send(input, value);
    corinth_release(value.owner);
    EQUAL(released, 2);
    corinth_release(kept.value.owner);
    kept.value.owner = NULL;
    EQUAL(released, 3);
    corinth_dispose(observation);
    corinth_end(input, CORINTH_COMPLETED, NULL);
    value = owned(4, &released);
    corinth_send(input, value);  // dropped
    corinth_release(value.owner);
    EQUAL(released, 4);
    corinth_release(observation), corinth_release(passed), corinth_release(signal), corinth_release(input);
}

// A callback that disposes of its own observation gets nothing more, and its context lasts until it has returned.
struct disposing {
    corinth_disposable *observation;
    corinth_input *input;
    int count;
    char *text;
};

static void dispose_self(void *context, corinth_value value) {
    struct disposing *self = context;
    self->count += (int)value.bits;
    corinth_send(self->input, word(100));  // queued, behind this one
    corinth_dispose(self->observation);
    corinth_release(self->observation);
    self->observation = NULL;
    self->text[0] = 'b';
}

static void free_disposing(void *context) {
    struct disposing *self = context;
    EQUAL(self->count, 1);
    CHECK(self->text[0] == 'b');
    free(self->text);
    free(self);
    atomic_fetch_add(&checks, 1000);
}

static void disposal_in_a_callback(void) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    struct disposing *self = calloc(1, sizeof *self);
    self->input = input;
    self->text = strdup("a");
    corinth_observer observer = {self, dispose_self, NULL, free_disposing};
    int before = checks;
    self->observation = corinth_observe(signal, &observer);
    corinth_send(input, word(1));
    corinth_send(input, word(1));
    CHECK(checks >= before + 1000);
    corinth_release(signal), corinth_release(input);
}

// Overflow: what is dropped is released and counted; a failure comes behind what is buffered.
static void policies(void) {
    static const corinth_policy kinds[] = {CORINTH_DROP_NEWEST, CORINTH_DROP_OLDEST, CORINTH_FAIL, CORINTH_UNBOUNDED, CORINTH_BLOCK};
    for (int k = 0; k < 5; k++) {
        struct loop loop;
        loop_begin(&loop);
        atomic_int released = 0;
        corinth_scheduler *scheduler = corinth_scheduler_create(loop_schedule, &loop, NULL);
        corinth_statistics *statistics = corinth_statistics_create();
        corinth_buffering buffering = {kinds[k], kinds[k] == CORINTH_UNBOUNDED ? 0 : 10, 1000, statistics};
        corinth_input *input;
        corinth_signal *signal = corinth_pipe(NULL, &input);
        corinth_signal *hop = corinth_observe_on(signal, scheduler, &buffering);
        struct seen seen;
        corinth_observer observer = seeing(&seen);
        corinth_disposable *observation = corinth_observe(hop, &observer);
        send_owned(input, 50, &released);
        corinth_end(input, CORINTH_COMPLETED, NULL);
        EVENTUALLY(seen.ends == 1);
        EVENTUALLY(released == 50);
        corinth_counts counts = corinth_statistics_read(statistics);
        EQUAL(counts.delivered, seen.count);
        if (kinds[k] != CORINTH_FAIL) {
            EQUAL(counts.sent, 50);
            EQUAL(counts.sent, counts.delivered + counts.dropped);
            EQUAL(seen.end, CORINTH_COMPLETED);
        } else if (seen.end == CORINTH_FAILED) {
            EQUAL(seen.code, CORINTH_ERROR_FULL);
        }
        if (kinds[k] == CORINTH_BLOCK || kinds[k] == CORINTH_UNBOUNDED) EQUAL(seen.count, 50);
        CHECK(seen.count == 0 || pthread_equal(seen.thread, loop.thread));
        corinth_release(observation), corinth_release(hop), corinth_release(signal), corinth_release(input);
        corinth_release(statistics);
        loop_end(&loop);
        corinth_release(scheduler);
    }
}

// A scheduler whose tasks a test runs by hand.
struct by_hand {
    pthread_mutex_t mutex;
    corinth_task *tasks[16];
    int count;
};

#define BY_HAND {PTHREAD_MUTEX_INITIALIZER, {NULL}, 0}

static void collect_task(void *context, corinth_task *task) {
    struct by_hand *self = context;
    pthread_mutex_lock(&self->mutex);
    CHECK(self->count < 16);
    self->tasks[self->count++] = task;
    pthread_mutex_unlock(&self->mutex);
}

// Runs all, and those that come of them. Returns whether there were any.
static bool run_tasks(struct by_hand *self) {
    for (bool were_any = false;; were_any = true) {
        pthread_mutex_lock(&self->mutex);
        corinth_task *tasks[16];
        int count = self->count;
        memcpy(tasks, self->tasks, sizeof tasks);
        self->count = 0;
        pthread_mutex_unlock(&self->mutex);
        if (count == 0) return were_any;
        for (int i = 0; i < count; i++) corinth_task_run(tasks[i]);
    }
}

static void overflow(void) {
    static const struct {
        corinth_policy policy;
        int count;
        uint64_t first;
        int end;
    } cases[] = {
        {CORINTH_DROP_NEWEST, 3, 0, CORINTH_COMPLETED}, {CORINTH_DROP_OLDEST, 3, 7, CORINTH_COMPLETED},
        {CORINTH_FAIL, 3, 0, CORINTH_FAILED}, {CORINTH_UNBOUNDED, 10, 0, CORINTH_COMPLETED},
    };
    for (int k = 0; k < 4; k++) {
        struct by_hand hand = BY_HAND;
        atomic_int released = 0;
        corinth_scheduler *scheduler = corinth_scheduler_create(collect_task, &hand, NULL);
        corinth_statistics *statistics = corinth_statistics_create();
        corinth_buffering buffering = {cases[k].policy, 3, 0, statistics};
        corinth_input *input;
        corinth_signal *signal = corinth_pipe(NULL, &input);
        corinth_signal *hop = corinth_observe_on(signal, scheduler, &buffering);
        struct seen seen;
        corinth_observer observer = seeing(&seen);
        corinth_disposable *observation = corinth_observe(hop, &observer);
        send_owned(input, 10, &released);
        EQUAL(seen.count, 0);
        EQUAL(released, 10 - cases[k].count);
        corinth_end(input, CORINTH_COMPLETED, NULL);
        run_tasks(&hand);
        EQUAL(seen.count, cases[k].count);
        for (int i = 0; i < cases[k].count; i++) EQUAL(seen.values[i], cases[k].first + (uint64_t)i);
        EQUAL(seen.ends, 1);
        EQUAL(seen.end, cases[k].end);
        EQUAL(seen.code, cases[k].end == CORINTH_FAILED ? CORINTH_ERROR_FULL : 0);
        CHECK(cases[k].end != CORINTH_FAILED || seen.text[0] != 0);
        EQUAL(released, 10);
        corinth_counts counts = corinth_statistics_read(statistics);
        EQUAL(counts.delivered, cases[k].count);
        EQUAL(counts.dropped, counts.sent - counts.delivered);
        corinth_release(observation), corinth_release(hop), corinth_release(signal), corinth_release(input);
        corinth_release(statistics), corinth_release(scheduler);
    }
}

// A loop that ends releases the tasks that it doesn't run: nothing leaks, and their values are released.
static void released_tasks(void) {
    struct by_hand hand = BY_HAND;
    atomic_int released = 0;
    corinth_scheduler *scheduler = corinth_scheduler_create(collect_task, &hand, NULL);
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    corinth_signal *hop = corinth_observe_on(signal, scheduler, NULL);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_disposable *observation = corinth_observe(hop, &observer);
    corinth_value value = owned(1, &released);
    corinth_send(input, value);
    corinth_release(value.owner);
    EQUAL(hand.count, 1);
    corinth_release(hand.tasks[0]);
    EQUAL(seen.count, 0);
    corinth_dispose(observation);
    corinth_release(observation), corinth_release(hop), corinth_release(signal), corinth_release(input);
    corinth_release(scheduler);
    EQUAL(seen.released, 1);
    EQUAL(released, 1);
}

static void try_send_when_full(void) {
    struct by_hand hand = BY_HAND;
    corinth_scheduler *scheduler = corinth_scheduler_create(collect_task, &hand, NULL);
    corinth_buffering inbox = {CORINTH_BLOCK, 2, -1, NULL}, buffer = {CORINTH_BLOCK, 2, -1, NULL};
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(&inbox, &input);
    corinth_signal *hop = corinth_observe_on(signal, scheduler, &buffer);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_disposable *observation = corinth_observe(hop, &observer);
    int sent = 0;
    while (sent < 100 && corinth_try_send(input, word((uint64_t)sent))) sent++;
    CHECK(sent >= 2 && sent <= 6);
    run_tasks(&hand);
    // The sender that stopped goes on, on a thread of the library's, so that there are more tasks.
    EVENTUALLY((run_tasks(&hand), seen.count == sent));
    CHECK(corinth_try_send(input, word(1000)));
    corinth_end(input, CORINTH_INTERRUPTED, NULL);
    EVENTUALLY((run_tasks(&hand), seen.ends == 1));
    corinth_release(observation), corinth_release(hop), corinth_release(signal), corinth_release(input);
    corinth_release(scheduler);
}

struct batches {
    atomic_int batches, values, ends, released;
    size_t most;
    bool is_in_order;
    uint64_t next;
    int delay;
};

static void see_batch(void *context, const corinth_value *values, size_t count) {
    struct batches *self = context;
    if (count > self->most) self->most = count;
    for (size_t i = 0; i < count; i++) self->is_in_order &= values[i].bits == self->next++;
    if (self->delay > 0) usleep((useconds_t)self->delay);
    atomic_fetch_add(&self->batches, 1);
    atomic_fetch_add(&self->values, (int)count);
}

static void see_batch_end(void *context, corinth_end_kind end, const corinth_error *error) {
    (void)error;
    CHECK(end == CORINTH_COMPLETED);
    atomic_fetch_add(&((struct batches *)context)->ends, 1);
}

static void see_batch_release(void *context) { atomic_fetch_add(&((struct batches *)context)->released, 1); }

static void batches(void) {
    for (int k = 0; k < 3; k++) {
        struct loop loop;
        loop_begin(&loop);
        corinth_scheduler *scheduler = k == 0   ? corinth_queue_create("batches")
                                       : k == 1 ? corinth_thread_create("batches", CORINTH_PARK, -1)
                                                : corinth_scheduler_create(loop_schedule, &loop, NULL);
        corinth_input *input;
        corinth_signal *signal = corinth_pipe(NULL, &input);
        struct batches seen = {.is_in_order = true};
        corinth_batch_observer observer = {&seen, see_batch, see_batch_end, see_batch_release};
        corinth_disposable *observation = corinth_observe_batches(signal, scheduler, NULL, 16, 5000000, &observer);
        atomic_int released = 0;
        send_owned(input, 100, &released);
        // The last four come by time.
        EVENTUALLY(seen.values == 100);
        CHECK(seen.batches >= 7);
        CHECK(seen.most <= 16 && seen.is_in_order);
        corinth_send(input, word(100));
        corinth_end(input, CORINTH_COMPLETED, NULL);
        EVENTUALLY(seen.ends == 1);
        EQUAL(seen.values, 101);
        EVENTUALLY(seen.released == 1);
        EVENTUALLY(released == 100);
        corinth_release(observation), corinth_release(signal), corinth_release(input), corinth_release(scheduler);
        loop_end(&loop);
    }
}

static void start_three(void *context, corinth_input *input, corinth_lifetime *lifetime) {
    atomic_fetch_add((atomic_int *)context, 1);
    for (uint64_t i = 1; i <= 3 && !corinth_lifetime_has_ended(lifetime); i++) corinth_send(input, word(i));
    corinth_end(input, CORINTH_COMPLETED, NULL);
}

struct kept_start {
    corinth_input *input;
    corinth_lifetime *lifetime;
    atomic_int ended, added;
};

static void note_end(void *context) { atomic_fetch_add(&((struct kept_start *)context)->ended, 1); }

static void start_and_keep(void *context, corinth_input *input, corinth_lifetime *lifetime) {
    struct kept_start *self = context;
    corinth_retain(input);
    corinth_retain(lifetime);
    self->input = input;
    self->lifetime = lifetime;
    corinth_disposable *disposable = corinth_disposable_create(note_end, self, NULL);
    corinth_lifetime_add(lifetime, disposable);
    corinth_release(disposable);
}

static void start_nothing(void *context, corinth_input *input, corinth_lifetime *lifetime) {
    (void)context, (void)input, (void)lifetime;
}

static void producers(void) {
    atomic_int starts = 0;
    corinth_producer *producer = corinth_producer_create(start_three, &starts, NULL);
    for (int i = 1; i <= 2; i++) {
        struct seen seen;
        corinth_observer observer = seeing(&seen);
        corinth_disposable *start = corinth_start(producer, &observer);
        EQUAL(starts, i);
        EQUAL(seen.count, 3);
        EQUAL(seen.end, CORINTH_COMPLETED);
        EQUAL(seen.released, 1);
        corinth_release(start);
    }
    corinth_release(producer);

    // A start that goes on: disposing of it interrupts, and ends its lifetime, once.
    struct kept_start kept;
    memset(&kept, 0, sizeof kept);
    producer = corinth_producer_create(start_and_keep, &kept, NULL);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_disposable *start = corinth_start(producer, &observer);
    EQUAL(seen.ends, 0);
    corinth_send(kept.input, word(9));
    EQUAL(seen.count, 1);
    CHECK(!corinth_lifetime_has_ended(kept.lifetime));
    corinth_dispose(start);
    corinth_dispose(start);
    EQUAL(kept.ended, 1);
    CHECK(corinth_lifetime_has_ended(kept.lifetime));
    EQUAL(seen.end, CORINTH_INTERRUPTED);
    corinth_send(kept.input, word(10));
    EQUAL(seen.count, 1);
    // What is added too late is disposed of at once.
    corinth_disposable *late = corinth_disposable_create(note_end, &kept, NULL);
    corinth_lifetime_add(kept.lifetime, late);
    EQUAL(kept.ended, 2);
    corinth_release(late), corinth_release(start), corinth_release(kept.input), corinth_release(kept.lifetime);
    corinth_release(producer);

    // Neither ended nor retained: interrupted when nothing can end it any more (P5).
    producer = corinth_producer_create(start_nothing, NULL, NULL);
    observer = seeing(&seen);
    start = corinth_start(producer, &observer);
    corinth_release(producer);
    EQUAL(seen.ends, 0);
    corinth_release(start);
    EQUAL(seen.ends, 1);
    EQUAL(seen.end, CORINTH_INTERRUPTED);
}

static void disposables(void) {
    atomic_int disposed = 0, released = 0;
    corinth_disposable *disposable = corinth_disposable_create(count_release, &disposed, NULL);
    corinth_dispose(disposable);
    corinth_dispose(disposable);
    EQUAL(disposed, 1);
    corinth_release(disposable);
    // The context goes with the first disposal, or with the handle.
    disposable = corinth_disposable_create(count_release, &released, count_release);
    corinth_release(disposable);
    EQUAL(released, 1);
}

static void properties(void) {
    atomic_int released = 0;
    corinth_value value = owned(1, &released);
    corinth_property *property = corinth_property_create(value);
    corinth_release(value.owner);
    EQUAL(released, 0);
    value = corinth_property_get(property);
    EQUAL(value.bits, 1);
    corinth_release(value.owner);
    EQUAL(released, 0);
    corinth_producer *values = corinth_property_values(property);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_disposable *start = corinth_start(values, &observer);
    EQUAL(seen.count, 1);
    CHECK(corinth_property_set(property, word(2)));
    EQUAL(released, 1);
    CHECK(corinth_property_set(property, word(3)));
    EQUAL(seen.count, 3);
    CHECK(seen.values[0] == 1 && seen.values[1] == 2 && seen.values[2] == 3);
    corinth_release(values);
    corinth_release(property);
    EQUAL(seen.ends, 1);
    EQUAL(seen.end, CORINTH_COMPLETED);
    corinth_release(start);
}

struct executing {
    corinth_producer *result;
    uint64_t input;
};

static corinth_producer *execute(void *context, corinth_value value) {
    struct executing *self = context;
    self->input = value.bits;
    corinth_retain(self->result);
    return self->result;
}

static void actions(void) {
    struct kept_start kept;
    memset(&kept, 0, sizeof kept);
    struct executing executing = {corinth_producer_create(start_and_keep, &kept, NULL), 0};
    corinth_property *enabled = corinth_property_create(word(0));
    corinth_action *action = corinth_action_create(enabled, execute, &executing, NULL);
    corinth_producer *execution = corinth_apply(action, word(7));
    struct seen seen, second;
    corinth_observer observer = seeing(&seen);
    corinth_release(corinth_start(execution, &observer));
    EQUAL(seen.end, CORINTH_FAILED);
    EQUAL(seen.code, CORINTH_ERROR_DISABLED);
    CHECK(seen.text[0] != 0);
    EQUAL(executing.input, 0);

    corinth_property_set(enabled, word(1));
    observer = seeing(&seen);
    corinth_release(corinth_start(execution, &observer));
    EQUAL(seen.ends, 0);
    EQUAL(executing.input, 7);
    observer = seeing(&second);
    corinth_release(corinth_start(execution, &observer));  // A1
    EQUAL(second.code, CORINTH_ERROR_DISABLED);
    corinth_send(kept.input, word(70));
    corinth_end(kept.input, CORINTH_FAILED, &(corinth_error){4, "four"});
    EQUAL(seen.count, 1);
    EQUAL(seen.values[0], 70);
    EQUAL(seen.code, 4);
    CHECK(strcmp(seen.text, "four") == 0);
    corinth_release(kept.input), corinth_release(kept.lifetime);
    corinth_release(execution), corinth_release(action), corinth_release(enabled);

    // No producer completes.
    corinth_release(executing.result);
    executing.result = NULL;
    action = corinth_action_create(NULL, execute, &executing, NULL);
    execution = corinth_apply(action, word(8));
    observer = seeing(&seen);
    corinth_release(corinth_start(execution, &observer));
    EQUAL(seen.end, CORINTH_COMPLETED);
    EQUAL(seen.ends, 1);
    corinth_release(execution), corinth_release(action);
}

struct scheduled {
    atomic_int runs, released;
    pthread_t thread;
};

static void note_run(void *context) {
    struct scheduled *self = context;
    self->thread = pthread_self();
    atomic_fetch_add(&self->runs, 1);
}

static void note_release(void *context) { atomic_fetch_add(&((struct scheduled *)context)->released, 1); }

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void schedulers(void) {
    static const corinth_waiting waits[] = {CORINTH_SPIN_THEN_PARK, CORINTH_PARK, CORINTH_SPIN_THEN_YIELD, CORINTH_BUSY_SPIN};
    for (int k = 0; k < 6; k++) {
        struct loop loop;
        loop_begin(&loop);
        corinth_scheduler *scheduler = k == 0   ? corinth_queue_create("laws")
                                       : k < 5 ? corinth_thread_create("laws", waits[k - 1], k == 2 ? 0 : -1)
                                                : corinth_scheduler_create(loop_schedule, &loop, NULL);
        struct scheduled now_, later, never, never_later;
        memset(&now_, 0, sizeof now_), later = never = never_later = now_;
        double begin = now();
        corinth_disposable *a = corinth_schedule(scheduler, 0, note_run, &now_, note_release);
        corinth_disposable *b = corinth_schedule(scheduler, 20000000, note_run, &later, note_release);
        corinth_disposable *c = corinth_schedule(scheduler, 50000000, note_run, &never_later, note_release);
        corinth_dispose(c);
        EVENTUALLY(never_later.released == 1);
        EVENTUALLY(now_.runs == 1 && now_.released == 1);
        if (k == 5) CHECK(pthread_equal(now_.thread, loop.thread));
        else CHECK(!pthread_equal(now_.thread, pthread_self()));
        EVENTUALLY(later.runs == 1 && later.released == 1);
        CHECK(now() - begin >= 0.0199);
        if (k == 5) CHECK(pthread_equal(later.thread, loop.thread));
        usleep(60000);
        EQUAL(never_later.runs, 0);
        corinth_release(a), corinth_release(b), corinth_release(c), corinth_release(scheduler);
        loop_end(&loop);
    }
    errno = 0;
    CHECK(corinth_thread_create("nowhere", CORINTH_PARK, 100000) == NULL);
    EQUAL(errno, EINVAL);
    // Disposed of before it runs.
    struct by_hand hand = BY_HAND;
    corinth_scheduler *scheduler = corinth_scheduler_create(collect_task, &hand, NULL);
    struct scheduled never;
    memset(&never, 0, sizeof never);
    corinth_disposable *disposable = corinth_schedule(scheduler, 0, note_run, &never, note_release);
    EQUAL(hand.count, 1);
    corinth_dispose(disposable);
    EQUAL(never.released, 1);
    run_tasks(&hand);
    EQUAL(never.runs, 0);
    corinth_release(disposable);
    corinth_release(scheduler);
}

// Observing from threads that come and go: each attaches by itself, and leaves nothing.
static void *send_from_a_thread(void *context) {
    corinth_send(context, word(1));
    return NULL;
}

// A loop that sends to itself through a full hop doesn't wait for itself (X2): the values go beyond the bound.
struct self_sending {
    corinth_input *input;
    struct seen seen;
    atomic_bool has_sent;
};

static void send_to_self(void *context) {
    struct self_sending *self = context;
    for (uint64_t i = 0; i < 100; i++) corinth_send(self->input, word(i));
    atomic_store(&self->has_sent, true);
}

static void own_loop(void) {
    for (int k = 0; k < 3; k++) {
        struct loop loop;
        loop_begin(&loop);
        corinth_scheduler *scheduler = k == 0   ? corinth_queue_create("own")
                                       : k == 1 ? corinth_thread_create("own", CORINTH_PARK, -1)
                                                : corinth_scheduler_create(loop_schedule, &loop, NULL);
        struct self_sending self;
        memset(&self, 0, sizeof self);
        corinth_signal *signal = corinth_pipe(&(corinth_buffering){CORINTH_BLOCK, 4, -1, NULL}, &self.input);
        corinth_signal *hop = corinth_observe_on(signal, scheduler, &(corinth_buffering){CORINTH_BLOCK, 4, -1, NULL});
        corinth_observer observer = seeing(&self.seen);
        corinth_disposable *observation = corinth_observe(hop, &observer);
        corinth_disposable *scheduled = corinth_schedule(scheduler, 0, send_to_self, &self, NULL);
        EVENTUALLY(atomic_load(&self.has_sent));
        EVENTUALLY(self.seen.count == 100);
        corinth_release(scheduled);
        corinth_end(self.input, CORINTH_COMPLETED, NULL);
        EVENTUALLY(self.seen.ends == 1);
        corinth_release(observation), corinth_release(hop), corinth_release(signal), corinth_release(self.input);
        corinth_release(scheduler);
        loop_end(&loop);
    }
}

// No thread to be had: an error, not a crash.
static void no_thread(void) {
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(thread_sanitizer)  // They need all of the address space.
    struct rlimit limit, less;
    getrlimit(RLIMIT_AS, &limit);
    less = limit;
    less.rlim_cur = 1 << 30;
    setrlimit(RLIMIT_AS, &less);
    corinth_scheduler *schedulers[1000];
    int count = 0;
    errno = 0;
    while (count < 1000 && (schedulers[count] = corinth_thread_create("many", CORINTH_PARK, -1)) != NULL) count++;
    int error = errno;
    setrlimit(RLIMIT_AS, &limit);
    CHECK(count < 1000);
    EQUAL(error, EAGAIN);
    while (count > 0) corinth_release(schedulers[--count]);
#endif
}

static void threads(void) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    struct seen seen;
    corinth_observer observer = seeing(&seen);
    corinth_disposable *observation = corinth_observe(signal, &observer);
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, send_from_a_thread, input) == 0);
        pthread_join(thread, NULL);
    }
    EVENTUALLY(seen.count == 200);
    corinth_release(observation), corinth_release(signal), corinth_release(input);
}

int main(void) {
    versions();
    events();
    lifetimes();
    nothing_observed();
    operators();
    owners();
    disposal_in_a_callback();
    policies();
    overflow();
    released_tasks();
    try_send_when_full();
    batches();
    producers();
    disposables();
    properties();
    actions();
    schedulers();
    threads();
    own_loop();
    no_thread();
    printf("%d checks\n", atomic_load(&checks));
    return 0;
}
