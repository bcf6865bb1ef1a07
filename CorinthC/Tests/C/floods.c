// Floods across the border, with the laws judged: floods THREADS VALUES [FLOOD].
//
// Each of THREADS threads sends VALUES values, one of four with an owner. For each observer: no two callbacks overlap (E2), all
// observers see the same order (E3), the values of a thread come in its order (E4), nothing comes after the end, and one end comes
// (E1), and every owner is released once, whether its value was delivered or dropped. Run it under thread sanitizer, too: what
// observers write has no other protection than E2.
#include "check.h"

static unsigned threads_count = 8, values_count = 20000;

// What one sender has to tell.
struct sender {
    pthread_t thread;
    unsigned number;
    corinth_input *input;
    atomic_uchar *releases;
    uint64_t refused;
    bool is_trying;
};

static void note_owner(void *flag) { atomic_fetch_add((atomic_uchar *)flag, 1); }

static void *send_all(void *context) {
    struct sender *self = context;
    for (unsigned i = 0; i < values_count; i++) {
        corinth_value value = word((uint64_t)self->number << 32 | i);
        if (i % 4 == 0) value.owner = corinth_owner_create(&self->releases[i / 4], note_owner);
        if (!self->is_trying) corinth_send(self->input, value);
        else if (!corinth_try_send(self->input, value)) self->refused++;
        corinth_release(value.owner);
    }
    return NULL;
}

static struct sender *begin_senders(corinth_input **inputs, unsigned inputs_count, bool are_trying) {
    struct sender *senders = calloc(threads_count, sizeof *senders);
    for (unsigned i = 0; i < threads_count; i++) {
        senders[i].number = i;
        senders[i].input = inputs[i % inputs_count];
        senders[i].is_trying = are_trying;
        senders[i].releases = calloc(values_count / 4 + 1, 1);
    }
    for (unsigned i = 0; i < threads_count; i++) CHECK(pthread_create(&senders[i].thread, NULL, send_all, &senders[i]) == 0);
    return senders;
}

// Returns how many values were refused.
static uint64_t join_senders(struct sender *senders) {
    uint64_t refused = 0;
    for (unsigned i = 0; i < threads_count; i++) {
        pthread_join(senders[i].thread, NULL);
        refused += senders[i].refused;
    }
    return refused;
}

static void check_owners(struct sender *senders) {
    for (unsigned i = 0; i < threads_count; i++) {
        for (unsigned j = 0; j < (values_count + 3) / 4; j++) EVENTUALLY(atomic_load(&senders[i].releases[j]) == 1);
        free(senders[i].releases);
    }
    free(senders);
}

// An observer that judges. Nothing but `ends` and `released` is atomic.
struct judge {
    uint64_t *last;  // of each sender, plus one
    uint64_t count, order;
    int busy;
    bool is_lossless, has_overlapped, has_reordered, has_lost, came_late, has_ended;
    corinth_end_kind end;
    atomic_int ends, released;
    useconds_t delay;
};

static void judge_one(struct judge *judge, corinth_value value) {
    uint64_t sender = value.bits >> 32, number = (value.bits & UINT32_MAX) + 1;
    judge->came_late |= judge->has_ended;
    judge->has_reordered |= number <= judge->last[sender];
    judge->has_lost |= number != judge->last[sender] + 1;
    judge->last[sender] = number;
    judge->order = (judge->order ^ value.bits) * 0x9E3779B97F4A7C15u;
    judge->count++;
}

static void judge_value(void *context, corinth_value value) {
    struct judge *judge = context;
    judge->has_overlapped |= judge->busy++ != 0;
    judge_one(judge, value);
    if (judge->delay > 0 && judge->count % 256 == 0) usleep(judge->delay);
    judge->busy--;
}

static void judge_batch(void *context, const corinth_value *values, size_t count) {
    struct judge *judge = context;
    judge->has_overlapped |= judge->busy++ != 0;
    for (size_t i = 0; i < count; i++) judge_one(judge, values[i]);
    judge->busy--;
}

static void judge_end(void *context, corinth_end_kind end, const corinth_error *error) {
    struct judge *judge = context;
    (void)error;
    judge->has_overlapped |= judge->busy != 0;
    judge->has_ended = true;
    judge->end = end;
    atomic_fetch_add(&judge->ends, 1);
}

static void judge_release(void *context) { atomic_fetch_add(&((struct judge *)context)->released, 1); }

static struct judge *make_judge(bool is_lossless) {
    struct judge *judge = calloc(1, sizeof *judge);
    judge->last = calloc(threads_count, sizeof *judge->last);
    judge->is_lossless = is_lossless;
    return judge;
}

static corinth_observer judging(struct judge *judge) {
    return (corinth_observer){judge, judge_value, judge_end, judge_release};
}

static void check_judge(struct judge *judge) {
    EVENTUALLY(atomic_load(&judge->ends) == 1);
    EVENTUALLY(atomic_load(&judge->released) == 1);
    CHECK(!judge->has_overlapped);
    CHECK(!judge->has_reordered);
    CHECK(!judge->came_late);
    EQUAL(judge->end, CORINTH_COMPLETED);
    if (judge->is_lossless) {
        CHECK(!judge->has_lost);
        EQUAL(judge->count, (uint64_t)threads_count * values_count);
    }
    free(judge->last);
}

// How a flood is received.
enum receiver { DIRECT, QUEUE, THREAD, LOOP, MERGED, BATCHES };

static void flood(enum receiver receiver, const corinth_buffering *inbox, corinth_buffering *buffer, bool are_trying) {
    struct loop loop;
    loop_begin(&loop);
    corinth_scheduler *scheduler = receiver == QUEUE    ? corinth_queue_create("flood")
                                   : receiver == THREAD ? corinth_thread_create("flood", CORINTH_SPIN_THEN_PARK, -1)
                                                        : corinth_scheduler_create(loop_schedule, &loop, NULL);
    corinth_statistics *statistics = corinth_statistics_create();
    if (buffer != NULL) buffer->statistics = statistics;
    unsigned inputs_count = receiver == MERGED ? threads_count : 1;
    corinth_input **inputs = calloc(inputs_count, sizeof *inputs);
    corinth_signal **signals = calloc(inputs_count, sizeof *signals);
    for (unsigned i = 0; i < inputs_count; i++) signals[i] = corinth_pipe(inbox, &inputs[i]);
    corinth_signal *received = receiver == DIRECT || receiver == BATCHES ? (corinth_retain(signals[0]), signals[0])
                               : receiver == MERGED ? corinth_merge(signals, inputs_count)
                                                    : corinth_observe_on(signals[0], scheduler, buffer);
    bool drops = buffer != NULL && (buffer->policy == CORINTH_DROP_NEWEST || buffer->policy == CORINTH_DROP_OLDEST);
    struct judge *judges[2] = {make_judge(!drops && !are_trying), make_judge(!drops && !are_trying)};
    corinth_disposable *observations[2];
    for (int i = 0; i < 2; i++) {
        if (drops || are_trying) judges[i]->delay = 50;
        corinth_observer observer = judging(judges[i]);
        corinth_batch_observer batches = {judges[i], judge_batch, judge_end, judge_release};
        observations[i] = receiver == BATCHES
                              ? corinth_observe_batches(received, scheduler, buffer, 100, 1000000, &batches)
                              : corinth_observe(received, &observer);
    }
    struct sender *senders = begin_senders(inputs, inputs_count, are_trying);
    uint64_t refused = join_senders(senders);
    for (unsigned i = 0; i < inputs_count; i++) corinth_end(inputs[i], CORINTH_COMPLETED, NULL);
    for (int i = 0; i < 2; i++) EVENTUALLY(atomic_load(&judges[i]->ends) == 1);
    uint64_t all = (uint64_t)threads_count * values_count;
    if (receiver != BATCHES) CHECK(judges[0]->order == judges[1]->order);
    corinth_counts counts = corinth_statistics_read(statistics);
    if (buffer != NULL && receiver != BATCHES) {
        EQUAL(counts.sent, all - refused);
        EQUAL(counts.delivered, judges[0]->count);
        EQUAL(counts.dropped, all - refused - judges[0]->count);
    } else if (are_trying) {
        EQUAL(judges[0]->count, all - refused);
    }
    for (int i = 0; i < 2; i++) {
        check_judge(judges[i]);
        free(judges[i]);
        corinth_release(observations[i]);
    }
    corinth_release(received);
    for (unsigned i = 0; i < inputs_count; i++) corinth_release(signals[i]), corinth_release(inputs[i]);
    check_owners(senders);
    free(inputs), free(signals);
    corinth_release(statistics), corinth_release(scheduler);
    loop_end(&loop);
}

static void direct(void) { flood(DIRECT, NULL, NULL, false); }
static void small_inbox(void) { flood(DIRECT, &(corinth_buffering){CORINTH_BLOCK, 8, -1, NULL}, NULL, false); }
static void trying(void) { flood(DIRECT, &(corinth_buffering){CORINTH_BLOCK, 8, -1, NULL}, NULL, true); }
static void merged(void) { flood(MERGED, NULL, NULL, false); }
static void hop_queue(void) { flood(QUEUE, NULL, &(corinth_buffering){CORINTH_BLOCK, 64, -1, NULL}, false); }
static void hop_thread(void) { flood(THREAD, NULL, &(corinth_buffering){CORINTH_BLOCK, 64, -1, NULL}, false); }
static void hop_loop(void) { flood(LOOP, NULL, &(corinth_buffering){CORINTH_BLOCK, 64, -1, NULL}, false); }
static void drop_newest(void) { flood(QUEUE, NULL, &(corinth_buffering){CORINTH_DROP_NEWEST, 64, 0, NULL}, false); }
static void drop_oldest(void) { flood(LOOP, NULL, &(corinth_buffering){CORINTH_DROP_OLDEST, 64, 0, NULL}, false); }
static void unbounded(void) { flood(THREAD, NULL, &(corinth_buffering){CORINTH_UNBOUNDED, 0, 0, NULL}, false); }
static void batches(void) { flood(BATCHES, NULL, &(corinth_buffering){CORINTH_BLOCK, 256, -1, NULL}, false); }

// Observations that come and go during a flood: each context is released once, and nothing comes after a disposal that the
// observer's own callback made (E7).
struct churn {
    corinth_signal *signal;
    atomic_bool *is_over;
    atomic_int *released;
    uint64_t rounds;
};

struct guest {
    corinth_disposable *observation;
    _Atomic(corinth_disposable *) mine;
    atomic_int *released;
    int count, after;
    bool is_disposed;
};

static void guest_value(void *context, corinth_value value) {
    struct guest *guest = context;
    (void)value;
    if (guest->is_disposed) guest->after++;
    if (++guest->count < 3) return;
    // Perhaps `corinth_observe` hasn't returned yet.
    corinth_disposable *mine = atomic_exchange(&guest->mine, NULL);
    if (mine == NULL) return;
    corinth_dispose(mine);
    guest->is_disposed = true;
    corinth_release(mine);
}

static void guest_release(void *context) {
    struct guest *guest = context;
    CHECK(guest->after == 0);
    corinth_release(atomic_load(&guest->mine));
    atomic_fetch_add(guest->released, 1);
    free(guest);
}

static void *come_and_go(void *context) {
    struct churn *self = context;
    while (!atomic_load(self->is_over)) {
        struct guest *guest = calloc(1, sizeof *guest);
        guest->released = self->released;
        corinth_observer observer = {guest, guest_value, NULL, guest_release};
        corinth_disposable *observation = corinth_observe(self->signal, &observer);
        if (self->rounds % 2 == 0) {
            // The callback disposes of it, or the end of the flood.
            corinth_retain(observation);
            atomic_store(&guest->mine, observation);
            corinth_release(observation);
        } else {
            corinth_dispose(observation);
            corinth_release(observation);
        }
        self->rounds++;
        if (self->rounds % 64 == 0) usleep(100);
    }
    return NULL;
}

static void churn(void) {
    corinth_input *input;
    corinth_signal *signal = corinth_pipe(NULL, &input);
    struct judge *judge = make_judge(true);
    corinth_observer observer = judging(judge);
    corinth_disposable *observation = corinth_observe(signal, &observer);
    atomic_bool is_over = false;
    atomic_int released = 0;
    struct churn churns[2];
    pthread_t guests[2];
    for (int i = 0; i < 2; i++) {
        churns[i] = (struct churn){signal, &is_over, &released, 0};
        CHECK(pthread_create(&guests[i], NULL, come_and_go, &churns[i]) == 0);
    }
    struct sender *senders = begin_senders(&input, 1, false);
    join_senders(senders);
    atomic_store(&is_over, true);
    for (int i = 0; i < 2; i++) pthread_join(guests[i], NULL);
    corinth_end(input, CORINTH_COMPLETED, NULL);
    check_judge(judge);
    free(judge);
    EVENTUALLY(atomic_load(&released) == (int)(churns[0].rounds + churns[1].rounds));
    corinth_release(observation), corinth_release(signal), corinth_release(input);
    check_owners(senders);
}

// All threads end the stream at once: one end comes.
static void *end_it(void *context) {
    corinth_end(context, CORINTH_COMPLETED, NULL);
    return NULL;
}

static void ends(void) {
    for (int round = 0; round < 200; round++) {
        corinth_input *input;
        corinth_signal *signal = corinth_pipe(NULL, &input);
        struct judge *judge = make_judge(false);
        corinth_observer observer = judging(judge);
        corinth_release(corinth_observe(signal, &observer));
        pthread_t threads[8];
        for (int i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, end_it, input) == 0);
        for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
        check_judge(judge);
        free(judge);
        corinth_release(signal), corinth_release(input);
    }
}

// Threads set a property: each change is heard in its order, and the values that were replaced are released.
struct setting {
    pthread_t thread;
    unsigned number;
    corinth_property *property;
    atomic_int *released;
};

static void *set_all(void *context) {
    struct setting *self = context;
    for (unsigned i = 0; i < values_count / 8; i++) {
        corinth_value value = owned((uint64_t)self->number << 32 | i, self->released);
        CHECK(corinth_property_set(self->property, value));
        corinth_release(value.owner);
        value = corinth_property_get(self->property);
        CHECK(value.bits >> 32 < threads_count);
        corinth_release(value.owner);
    }
    return NULL;
}

static void properties(void) {
    atomic_int released = 0;
    corinth_property *property = corinth_property_create(word(0));
    corinth_producer *values = corinth_property_values(property);
    struct judge *judge = make_judge(false);
    corinth_observer observer = judging(judge);
    corinth_disposable *start = corinth_start(values, &observer);
    struct setting *setting = calloc(threads_count, sizeof *setting);
    for (unsigned i = 0; i < threads_count; i++) {
        setting[i] = (struct setting){.number = i, .property = property, .released = &released};
    }
    for (unsigned i = 0; i < threads_count; i++) CHECK(pthread_create(&setting[i].thread, NULL, set_all, &setting[i]) == 0);
    for (unsigned i = 0; i < threads_count; i++) pthread_join(setting[i].thread, NULL);
    corinth_release(values), corinth_release(property);
    EVENTUALLY(atomic_load(&judge->ends) == 1);
    CHECK(!judge->has_overlapped);
    CHECK(!judge->came_late);
    EVENTUALLY(atomic_load(&released) == (int)(threads_count * (values_count / 8)));
    EVENTUALLY(atomic_load(&judge->released) == 1);
    corinth_release(start);
    free(judge->last), free(judge), free(setting);
}

// A mistake: one judge for two signals, which no law protects. Thread sanitizer has to report it. Only on request.
static void racing(void) {
    corinth_input *inputs[2];
    corinth_signal *signals[2] = {corinth_pipe(NULL, &inputs[0]), corinth_pipe(NULL, &inputs[1])};
    struct judge *judge = make_judge(false);
    corinth_observer observer = judging(judge);
    for (int i = 0; i < 2; i++) corinth_release(corinth_observe(signals[i], &observer));
    struct sender *senders = begin_senders(inputs, 2, false);
    join_senders(senders);
    for (int i = 0; i < 2; i++) corinth_release(signals[i]), corinth_release(inputs[i]);
    check_owners(senders);
    free(judge->last), free(judge);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } floods[] = {
        {"direct", direct}, {"small-inbox", small_inbox}, {"trying", trying}, {"merged", merged}, {"hop-queue", hop_queue},
        {"hop-thread", hop_thread}, {"hop-loop", hop_loop}, {"drop-newest", drop_newest}, {"drop-oldest", drop_oldest},
        {"unbounded", unbounded}, {"batches", batches}, {"churn", churn}, {"ends", ends}, {"properties", properties},
        {"racing", racing},
    };
    if (argc > 1) threads_count = (unsigned)atoi(argv[1]);
    if (argc > 2) values_count = (unsigned)atoi(argv[2]);
    CHECK(threads_count >= 1 && values_count >= 8);
    int run = 0;
    for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
        if (argc > 3 ? strcmp(argv[3], floods[i].name) != 0 : floods[i].run == racing) continue;
        floods[i].run();
        run++;
    }
    CHECK(run > 0);
    printf("%d floods of %u threads\n", run, threads_count);
    return 0;
}
