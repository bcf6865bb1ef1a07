// Mistakes, one in each run: misuse NAME. `Tests/c` says what each has to print, and runs them with and without
// CORINTH_CHECK_HANDLES=1.
#include "check.h"

static corinth_signal *signal_;
static corinth_input *input_;

static void make(void) { signal_ = corinth_pipe(NULL, &input_); }

// What the check of handles finds.

static void send_after_release(void) {
    make();
    corinth_release(input_);
    corinth_send(input_, word(1));
}

static void release_twice(void) {
    make();
    corinth_release(signal_);
    corinth_release(signal_);
}

static void wrong_type(void) {
    make();
    corinth_send((corinth_input *)(void *)signal_, word(1));
}

static void no_handle(void) {
    char something[64] = {0};
    corinth_retain(something);
}

static void null_handle(void) { corinth_property_get(NULL); }

static void task_twice_schedule(void *context, corinth_task *task) { *(corinth_task **)context = task; }

static void run_nothing(void *context) { (void)context; }

static void task_twice(void) {
    corinth_task *task;
    corinth_scheduler *scheduler = corinth_scheduler_create(task_twice_schedule, &task, NULL);
    corinth_schedule(scheduler, 0, run_nothing, NULL, NULL);
    corinth_task_run(task);
    corinth_task_run(task);
}

static void owner_after_release(void) {
    make();
    atomic_int released = 0;
    corinth_value value = owned(1, &released);
    corinth_release(value.owner);
    corinth_send(input_, value);
}

static void release_borrowed(void *context, corinth_value value) {
    (void)context;
    corinth_release(value.owner);
    corinth_release(value.owner);
}

static void owner_too_often(void) {
    make();
    atomic_int released = 0;
    corinth_value value = owned(1, &released);
    corinth_release(corinth_observe(signal_, &(corinth_observer){.value = release_borrowed}));
    corinth_send(input_, value);
}

static void borrowed_start(void *context, corinth_input *input, corinth_lifetime *lifetime) {
    (void)lifetime;
    *(corinth_input **)context = input;
}

static void release_input(void *context, corinth_value value) {
    (void)context, (void)value;
    corinth_release(input_);
}

// The last reference goes while the input is in use.
static void release_while_sending(void) {
    make();
    corinth_release(corinth_observe(signal_, &(corinth_observer){.value = release_input}));
    corinth_send(input_, word(1));
}

// Kept without a reference.
static void start_kept(void) {
    corinth_input *input;
    corinth_producer *producer = corinth_producer_create(borrowed_start, &input, NULL);
    corinth_release(corinth_start(producer, &(corinth_observer){.value = NULL}));
    corinth_send(input, word(1));
}

static void left_over(void) {
    make();
    corinth_retain(signal_);
    corinth_send(input_, word(1));
}

// What every build finds.

static void capacity(void) {
    make();
    corinth_observe_on(signal_, corinth_queue_create("q"), &(corinth_buffering){.capacity = 0});
}

static void policy(void) { corinth_pipe(&(corinth_buffering){.policy = (corinth_policy)9, .capacity = 1}, &input_); }

static void end_kind(void) {
    make();
    corinth_end(input_, (corinth_end_kind)-1, NULL);
}

static void batch_count(void) {
    make();
    corinth_observe_batches(signal_, corinth_queue_create("q"), NULL, 0, 0, &(corinth_batch_observer){.values = NULL});
}

static void batch_time(void) {
    make();
    corinth_observe_batches(signal_, corinth_queue_create("q"), NULL, 1, -1, &(corinth_batch_observer){.values = NULL});
}

static void delay(void) { corinth_schedule(corinth_queue_create("q"), -5, run_nothing, NULL, NULL); }

static void waiting(void) { corinth_thread_create("t", (corinth_waiting)4, -1); }

// What is harmless.

static void dispose_twice(void) {
    make();
    corinth_disposable *observation = corinth_observe(signal_, &(corinth_observer){.value = NULL});
    corinth_dispose(observation);
    corinth_dispose(observation);
    corinth_release(observation);
    corinth_send(input_, word(1));
    corinth_release(signal_);
    corinth_release(input_);
}

static void end_twice(void) {
    make();
    corinth_end(input_, CORINTH_COMPLETED, NULL);
    corinth_end(input_, CORINTH_FAILED, NULL);
    corinth_send(input_, word(1));
    corinth_release(signal_);
    corinth_release(input_);
}

static void nothing(void) {
    corinth_retain(NULL);
    corinth_release(NULL);
    corinth_dispose(NULL);
}

int main(int argc, char **argv) {
#define CASE(name) {#name, name}
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        CASE(send_after_release), CASE(release_twice), CASE(wrong_type), CASE(no_handle), CASE(null_handle), CASE(task_twice),
        CASE(owner_after_release), CASE(owner_too_often), CASE(start_kept), CASE(release_while_sending), CASE(left_over), CASE(capacity), CASE(policy),
        CASE(end_kind), CASE(batch_count), CASE(batch_time), CASE(delay), CASE(waiting), CASE(dispose_twice),
        CASE(end_twice), CASE(nothing),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc != 2 || strcmp(argv[1], cases[i].name) != 0) continue;
        cases[i].run();
        return 0;
    }
    fprintf(stderr, "misuse: one of the cases of the source, please\n");
    return 2;
}
