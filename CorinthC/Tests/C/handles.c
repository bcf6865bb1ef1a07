// handles [COUNT]: a million of each handle, or COUNT, made and released: the allocator's memory is the same afterwards, within
// what a few objects take.
#include <malloc.h>

#include "check.h"

static int count = 1000000;

static void nothing(void *context) { (void)context; }
static void ignore_value(void *context, corinth_value value) { (void)context, (void)value; }
static corinth_value same(void *context, corinth_value value) { return (void)context, corinth_retain(value.owner), value; }
static void start(void *context, corinth_input *input, corinth_lifetime *lifetime) {
    (void)context, (void)lifetime;
    corinth_end(input, CORINTH_COMPLETED, NULL);
}
static corinth_producer *execute(void *context, corinth_value value) {
    (void)value;
    corinth_retain(context);
    return context;
}
static void run(void *context, corinth_task *task) { (void)context, corinth_release(task); }

static const corinth_observer observer = {NULL, ignore_value, NULL, nothing};

static void streams(void) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input), *mapped = corinth_map(signal, same, NULL, nothing);
    corinth_disposable *observation = corinth_observe(mapped, &observer);
    corinth_value value = {1, corinth_owner_create(NULL, nothing)};
    corinth_send(input, value);
    corinth_dispose(observation);
    corinth_release(value.owner), corinth_release(observation), corinth_release(mapped), corinth_release(signal), corinth_release(input);
}

static void starts(void) {
    corinth_producer *producer = corinth_producer_create(start, NULL, nothing);
    corinth_disposable *started = corinth_start(producer, &observer);
    corinth_release(started), corinth_release(producer);
}

static void properties(void) {
    corinth_property *property = corinth_property_create(word(1));
    corinth_producer *values = corinth_property_values(property);
    corinth_disposable *started = corinth_start(values, &observer);
    corinth_property_set(property, word(2));
    corinth_release(values), corinth_release(property), corinth_release(started);
}

static corinth_producer *result;

static void actions(void) {
    corinth_action *action = corinth_action_create(NULL, execute, result, NULL);
    corinth_producer *execution = corinth_apply(action, word(1));
    corinth_disposable *started = corinth_start(execution, &observer);
    corinth_release(started), corinth_release(execution), corinth_release(action);
}

static corinth_scheduler *scheduler;

static void tasks(void) {
    corinth_scheduler *mine = corinth_scheduler_create(run, NULL, nothing);
    corinth_disposable *scheduled = corinth_schedule(mine, 0, nothing, NULL, nothing);
    corinth_disposable *later = corinth_schedule(scheduler, 1000000000000, nothing, NULL, nothing);
    corinth_dispose(later);
    corinth_statistics *statistics = corinth_statistics_create();
    corinth_disposable *disposable = corinth_disposable_create(nothing, NULL, nothing);
    corinth_release(scheduled), corinth_release(later), corinth_release(mine), corinth_release(statistics), corinth_release(disposable);
}

static void million(const char *name, void (*each)(void), int times) {
    for (int i = 0; i < 1000; i++) each();
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < times; i++) each();
    size_t after = mallinfo2().uordblks;
    printf("%s: %ld bytes more after %d\n", name, (long)after - (long)before, times);
    // The check of handles remembers each.
    if (getenv("CORINTH_CHECK_HANDLES") == NULL) CHECK(after < before + 100000);
}

int main(int argc, char **argv) {
    if (argc > 1) count = atoi(argv[1]);
    result = corinth_producer_create(start, NULL, NULL);
    scheduler = corinth_queue_create("handles");
    million("streams", streams, count);
    million("starts", starts, count);
    million("properties", properties, count);
    million("actions", actions, count);
    million("tasks", tasks, count);
    corinth_release(result), corinth_release(scheduler);
    return 0;
}
