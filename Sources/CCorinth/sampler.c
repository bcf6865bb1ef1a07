#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"
#include "unwind.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Threads

/// A delivery: no other one has the same of all these.
typedef struct {
    uint64_t token;
    /// Changes when the thread leaves a strand.
    uint64_t count;
    /// Of a drain: where its values are counted, and what was there.
    const uint64_t *progress;
    uint64_t position;
} delivery;

/// A thread that uses the library, and what the sampler knows of it.
typedef struct place {
    /// NULL when no thread is here.
    _Atomic(const ccorinth_thread_state *) state;
    _Atomic(bool) is_taken;
    /// Whether the sampler looks at the thread, which waits with its end.
    _Atomic(bool) is_read;
    pthread_t thread;
    int32_t number;
    struct place *next;

    // Of the sampler alone: the delivery in which the thread was seen, since when (0 if it delivers nothing), and when last.
    delivery delivery;
    uint64_t since, seen;
    bool is_slow;
    /// Its row in the table, as long as the row has the same number; the number is 0 if there was no room.
    int row;
    uint64_t serial;
    /// When the calls and the streams are looked for again.
    uint64_t next_frames, next_streams;
    ccorinth_held_stream held[CORINTH_SAMPLER_STREAMS];
    size_t held_count;
} place;

/// A thread that ends leaves its place to another one. So this list only grows, up to the most threads there have been at a time.
static _Atomic(place *) places = NULL;
static pthread_key_t key;

static _Atomic(void (*)(void)) at_thread_end = NULL;

void ccorinth_at_thread_end(void (*body)(void)) {
    // Most threads find it there, and needn't write what others read.
    if (atomic_load_explicit(&at_thread_end, memory_order_relaxed) != NULL) { return; }
    atomic_store_explicit(&at_thread_end, body, memory_order_relaxed);
}

static void leave(void *context) {
    place *place = context;
    // relaxed: a thread that needs it has stored it, or seen it.
    void (*at_end)(void) = atomic_load_explicit(&at_thread_end, memory_order_relaxed);
    if (at_end != NULL) { at_end(); }
    // Sequentially consistent, as the reader's mark and its look: one of the two sees what the other wrote.
    atomic_store(&place->state, NULL);
    while (atomic_load(&place->is_read)) { sched_yield(); }
    // release: the next thread finds this one gone.
    atomic_store_explicit(&place->is_taken, false, memory_order_release);
}

static void forget_sampler(void);

/// In a child of a fork, there is one thread, and no sampler.
static void begin_child(void) {
    forget_sampler();
    const place *own = pthread_getspecific(key);
    for (place *place = atomic_load_explicit(&places, memory_order_relaxed); place != NULL; place = place->next) {
        atomic_store_explicit(&place->is_read, false, memory_order_relaxed);
        if (place == own) { continue; }
        atomic_store_explicit(&place->state, NULL, memory_order_relaxed);
        atomic_store_explicit(&place->is_taken, false, memory_order_relaxed);
    }
}

static void make_key(void) {
    pthread_key_create(&key, leave);
    pthread_atfork(NULL, NULL, begin_child);
}

static bool take(place *place) {
    bool is_taken = false;
    // acquire: the thread that was here is gone.
    return atomic_compare_exchange_strong_explicit(
        &place->is_taken, &is_taken, true, memory_order_acquire, memory_order_relaxed);
}

static void make_key_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
}

void ccorinth_enter_thread(void) {
    make_key_once();
    // A test may have given this thread another number.
    if (pthread_getspecific(key) != NULL) { return; }
    // acquire: sees the places' contents.
    place *found = atomic_load_explicit(&places, memory_order_acquire);
    while (found != NULL && !take(found)) { found = found->next; }
    if (found == NULL) {
        found = calloc(1, sizeof *found);
        // It works as well unseen.
        if (found == NULL) { return; }
        atomic_store_explicit(&found->is_taken, true, memory_order_relaxed);
        found->next = atomic_load_explicit(&places, memory_order_relaxed);
        // release: publishes the contents.
        while (!atomic_compare_exchange_weak_explicit(
            &places, &found->next, found, memory_order_release, memory_order_relaxed)) {}
    }
    char name[1];
    found->thread = pthread_self();
    found->number = (int32_t)ccorinth_describe_thread(name, sizeof name);
    if (pthread_setspecific(key, found) == 0) { atomic_store(&found->state, &ccorinth_thread); }
}

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

// MARK: The calls of a thread

// Of a stack, as much is followed.
#define STACK (128 << 10)

static uint64_t stack_copy[STACK / 8];

/// The thread that is asked for its registers; 0 when it has answered, or nobody is asked.
static _Atomic(int32_t) asked = 0;
static _Atomic(bool) is_answered = false;
static ccorinth_registers answer;
static uintptr_t stack_end;

// A sanitizer would take these for accesses to what isn't the function's.
#define OTHERS __attribute__((noinline, no_sanitize("address", "thread")))

/// Copies the stack from an address on. The thread is stopped here, or blocked.
OTHERS static void copy_stack(ccorinth_registers *registers) {
    size_t size = registers->sp < stack_end && registers->sp % 8 == 0 ? stack_end - registers->sp : 0;
    registers->stack = (const unsigned char *)stack_copy;
    registers->size = size < STACK ? size : STACK;
    // Volatile: not by a function of the C library, which a sanitizer would watch.
    const volatile uint64_t *from = (const uint64_t *)registers->sp;
    for (size_t index = 0; index < registers->size / 8; index++) { stack_copy[index] = from[index]; }
}

static void answer_signal(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
    int error = errno;
    int32_t me = (int32_t)syscall(SYS_gettid);
    if (atomic_compare_exchange_strong(&asked, &me, 0)) {
        const ucontext_t *interrupted = context;
#if defined(__x86_64__)
        const greg_t *all = interrupted->uc_mcontext.gregs;
        answer = (ccorinth_registers){
            .pc = (uintptr_t)all[REG_RIP], .sp = (uintptr_t)all[REG_RSP], .fp = (uintptr_t)all[REG_RBP], .knows_fp = true};
#elif defined(__aarch64__)
        const mcontext_t *all = &interrupted->uc_mcontext;
        answer = (ccorinth_registers){.pc = all->pc, .sp = all->sp, .fp = all->regs[29], .knows_fp = true};
#endif
        copy_stack(&answer);
        atomic_store(&is_answered, true);
    }
    errno = error;
}

/// Installs the answer, unless the program uses this signal itself, which is for profilers. It is the only one that the threads of
/// Dispatch let through.
static bool can_ask(void) {
    struct sigaction now;
    if (sigaction(SIGPROF, NULL, &now) != 0) { return false; }
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == answer_signal) { return true; }
    if ((now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN)) { return false; }
    struct sigaction mine = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    mine.sa_sigaction = answer_signal;
    return sigaction(SIGPROF, &mine, NULL) == 0;
}

static void pause_for(long nanoseconds) {
    struct timespec time = {.tv_nsec = nanoseconds};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/// Has a thread that runs copy its stack. Not one that is blocked: some system calls return early then.
static bool ask(const place *place, ccorinth_registers *registers) {
    if (!can_ask()) { return false; }
    atomic_store(&is_answered, false);
    atomic_store(&asked, place->number);
    if (syscall(SYS_tgkill, getpid(), place->number, SIGPROF) != 0) {
        atomic_store(&asked, 0);
        return false;
    }
    for (int tries = 0; tries < 200 && !atomic_load(&is_answered); tries++) { pause_for(50000); }
    int32_t number = place->number;
    // Too late; unless it is about to answer.
    if (!atomic_load(&is_answered) && atomic_compare_exchange_strong(&asked, &number, 0)) { return false; }
    while (!atomic_load(&is_answered)) { pause_for(50000); }
    *registers = answer;
    return true;
}

/// Reads where a thread is blocked, and where its stack ends. False if it runs, or if the system doesn't say.
static bool find_blocked(const place *place, ccorinth_registers *registers, bool *runs) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", place->number);
    *runs = false;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) { return false; }
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) { return false; }
    text[size] = 0;
    *runs = strncmp(text, "running", 7) == 0;
    // The last two numbers.
    char *pc = strrchr(text, ' ');
    if (pc == NULL) { return false; }
    *pc = 0;
    char *sp = strrchr(text, ' ');
    if (sp == NULL) { return false; }
    *registers = (ccorinth_registers){.pc = strtoull(pc + 1, NULL, 16), .sp = strtoull(sp + 1, NULL, 16)};
    return true;
}

/// Through it, the system reads what may be gone.
static int probe[2];

/// Returns the delivery in which a thread is; without a token if it is in none. The thread writes all this with usual stores, of
/// which a whole word is seen.
OTHERS static delivery delivery_of(const ccorinth_thread_state *state) {
    if (state == NULL) { return (delivery){}; }
    uint64_t owned = *(const volatile uint64_t *)&state->owned;
    if ((owned & CORINTH_STRANDS) == 0) { return (delivery){}; }
    // What is above the strands: see `ThreadState.owned`.
    const int above = 64 - __builtin_clzll(CORINTH_STRANDS);
    delivery seen = {.token = *(const volatile uint64_t *)&state->bias & ~(uint64_t)15, .count = owned >> above};
    seen.progress = *(const uint64_t *const volatile *)&state->progress;
    // Not by the C library's functions, of which sanitizers watch the arguments.
    if (seen.progress != NULL && syscall(SYS_write, probe[1], seen.progress, sizeof seen.position) > 0) {
        syscall(SYS_read, probe[0], &seen.position, sizeof seen.position);
    }
    return seen;
}

static bool is_same(delivery one, delivery other) {
    return one.token != 0 && one.token == other.token && one.count == other.count && one.progress == other.progress
        && one.position == other.position;
}

/// Writes the calls that are in progress on a thread, which waits with its end meanwhile.
static size_t take_frames(const place *place, uintptr_t *frames) {
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    if (pthread_getattr_np(place->thread, &attributes) != 0) { return 0; }
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    stack_end = (uintptr_t)lowest + size;
    ccorinth_registers registers, after;
    bool runs;
    if (find_blocked(place, &registers, &runs)) {
        // Not on a stack of another kind.
        if (registers.sp < (uintptr_t)lowest || registers.sp >= stack_end) { return 0; }
        copy_stack(&registers);
        // It was blocked all the time.
        if (!find_blocked(place, &after, &runs) || after.pc != registers.pc || after.sp != registers.sp) { return 0; }
    } else if (!runs || !ask(place, &registers)) {
        return 0;
    }
    return ccorinth_unwind(registers, frames, CORINTH_SAMPLER_FRAMES);
}

// MARK: Slow deliveries

// What takes longer is slow: some periods of the sampler, in nanoseconds.
#define SLOW 5000000
#define PERIOD 1000000
#define MOST 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ccorinth_slow_delivery slow[MOST];
/// What each row is of, one stack after the other: never the same number again, and never 0.
static uint64_t serials[MOST];

static uint64_t hash_of(const uintptr_t *frames, size_t count, int32_t number) {
    uint64_t hash = count == 0 ? (uint64_t)number : 0;
    for (size_t index = 0; index < count; index++) { hash = (hash ^ frames[index]) * 0x9E3779B97F4A7C15u ^ hash >> 32; }
    return hash;
}

/// Returns the row of a stack: its own, a free one, or that of the shortest delivery that is over; -1 if there is none.
static int find_row(uint64_t stack) {
    int found = -1;
    for (int row = 0; row < MOST; row++) {
        if (slow[row].count > 0 && slow[row].stack == stack) { return row; }
        bool may_go = slow[row].count == 0 || slow[row].ended != 0;
        if (may_go && (found < 0 || slow[row].duration < slow[found].duration)) { found = row; }
    }
    return found;
}

/// Returns the row in which a thread's delivery is counted.
static ccorinth_slow_delivery *row_of(const place *place) {
    return place->is_slow && place->serial != 0 && serials[place->row] == place->serial ? &slow[place->row] : NULL;
}

/// Counts a delivery in the row of its calls, and no longer in that of those which it had before.
static void count_slow(place *place, const char *name, const uintptr_t *frames, size_t count) {
    static uint64_t last = 0;
    uint64_t stack = hash_of(frames, count, place->number);
    pthread_mutex_lock(&mutex);
    ccorinth_slow_delivery *before = row_of(place);
    if (before == NULL || (count > 0 && before->stack != stack)) {
        if (before != NULL) {
            // Another thread that goes on with these calls takes it back.
            before->ended = place->seen;
            // A row without deliveries is free.
            if (--before->count == 0) { *before = (ccorinth_slow_delivery){}; }
        }
        int row = find_row(stack);
        if (row >= 0) {
            ccorinth_slow_delivery *delivery = &slow[row];
            if (delivery->count == 0 || delivery->stack != stack) {
                *delivery = (ccorinth_slow_delivery){.stack = stack, .frame_count = (uint32_t)count};
                memcpy(delivery->frames, frames, count * sizeof *frames);
                serials[row] = ++last;
            }
            delivery->count += 1;
            delivery->number = place->number;
            memcpy(delivery->thread, name, sizeof delivery->thread);
        }
        place->row = row;
        place->serial = row < 0 ? 0 : serials[row];
    }
    pthread_mutex_unlock(&mutex);
    if (!place->is_slow) {
        place->is_slow = true;
        place->held_count = SIZE_MAX;
        place->next_streams = 0;
    }
}

/// Notes how long a slow delivery takes, and what waits for it.
static void update_slow(const place *place, uint64_t now) {
    pthread_mutex_lock(&mutex);
    ccorinth_slow_delivery *delivery = row_of(place);
    if (delivery != NULL) {
        if (now - place->since > delivery->duration) { delivery->duration = now - place->since; }
        delivery->ended = 0;
        size_t count = place->held_count == SIZE_MAX ? 0 : place->held_count;
        uint64_t values = 0, senders = 0;
        for (size_t index = 0; index < count; index++) {
            delivery->streams[index] = place->held[index].stream;
            values += place->held[index].values;
            senders += place->held[index].senders;
        }
        delivery->stream_count = (uint32_t)count;
        if (values > delivery->values) { delivery->values = values; }
        if (senders > delivery->senders) { delivery->senders = senders; }
    }
    pthread_mutex_unlock(&mutex);
}

/// Notes that a slow delivery is over. It took at least as long as was noted before.
static void end_slow(place *place) {
    pthread_mutex_lock(&mutex);
    ccorinth_slow_delivery *delivery = row_of(place);
    // Another thread that goes on with the same calls takes this back.
    if (delivery != NULL && delivery->ended == 0) { delivery->ended = place->seen; }
    pthread_mutex_unlock(&mutex);
    place->is_slow = false;
}

/// Whether the thread is still in the delivery in which it was seen. It waits with its end meanwhile.
static bool is_still_there(place *place) {
    // Sequentially consistent: see `leave`.
    atomic_store(&place->is_read, true);
    bool is_there = is_same(delivery_of(atomic_load(&place->state)), place->delivery);
    atomic_store(&place->is_read, false);
    return is_there;
}

/// Looks which streams the thread holds: of those that may be another thread's, the ones that it seems to have held at all looks.
static void look_for_streams(place *place, uint64_t now) {
    static uint64_t next = 0;
    if (ccorinth_held_streams == NULL || place->serial == 0 || now < place->next_streams || now < next) { return; }
    ccorinth_held_stream held[CORINTH_SAMPLER_STREAMS];
    size_t count = ccorinth_held_streams(place->delivery.token, held, CORINTH_SAMPLER_STREAMS), kept = 0;
    // What the thread has left meanwhile isn't among them any more.
    if (!is_still_there(place)) { return; }
    for (size_t index = 0; index < count; index++) {
        bool was_held = place->held_count == SIZE_MAX;
        for (size_t other = 0; !was_held && other < place->held_count; other++) {
            was_held = place->held[other].stream == held[index].stream;
        }
        if (was_held) { held[kept++] = held[index]; }
    }
    memcpy(place->held, held, kept * sizeof *held);
    place->held_count = kept;
    uint64_t then = ccorinth_monotonic_time();
    // Twice as late each time. And looking takes a tenth of the time at most, however many threads are slow.
    place->next_streams = then + (then - place->since);
    next = then + 10 * (then - now);
}

/// Looks at a thread.
static void look(place *place) {
    uintptr_t frames[CORINTH_SAMPLER_FRAMES];
    char name[sizeof slow->thread] = "";
    size_t count = 0;
    bool is_counted = false;
    // Sequentially consistent: see `leave`.
    atomic_store(&place->is_read, true);
    const ccorinth_thread_state *state = atomic_load(&place->state);
    delivery seen = delivery_of(state);
    uint64_t now = ccorinth_monotonic_time(), elapsed = now - place->since;
    bool goes_on = place->since != 0 && is_same(seen, place->delivery);
    if (goes_on && elapsed >= SLOW && (!place->is_slow || now >= place->next_frames)) {
        count = take_frames(place, frames);
        pthread_getname_np(place->thread, name, sizeof name);
        seen = delivery_of(state);
        goes_on = is_same(seen, place->delivery);
        // A thread without a processor doesn't answer: it is asked again.
        is_counted = goes_on && (count > 0 || place->is_slow || elapsed >= 10 * SLOW);
    }
    atomic_store(&place->is_read, false);
    if (goes_on) {
        if (is_counted) {
            count_slow(place, name, frames, count);
            // What blocks for long may have begun with something else: the calls are looked for again, twice as late each time.
            place->next_frames = now + elapsed;
        }
        place->seen = now;
        if (!place->is_slow) { return; }
        look_for_streams(place, now);
        return update_slow(place, now);
    }
    if (place->is_slow) { end_slow(place); }
    place->delivery = seen;
    place->since = seen.token == 0 ? 0 : now;
}

// MARK: The thread

static pthread_mutex_t watching = PTHREAD_MUTEX_INITIALIZER;
static uint64_t watchers = 0;
static bool is_watching = false;

static void sample(void *context) {
    (void)context;
    ccorinth_block_signals();
    bool is_watched = true, has_probe = false;
    while (is_watched) {
        // Without descriptors, it tries again.
        has_probe = has_probe || pipe2(probe, O_CLOEXEC | O_NONBLOCK) == 0;
        // acquire: sees the places' contents.
        place *place = has_probe ? atomic_load_explicit(&places, memory_order_acquire) : NULL;
        for (; place != NULL; place = place->next) { look(place); }
        pause_for(PERIOD);
        pthread_mutex_lock(&watching);
        is_watched = watchers > 0;
        if (!is_watched) {
            for (int end = 0; has_probe && end < 2; end++) { close(probe[end]); }
            // From here on, it isn't known what goes on. A delivery that still does when the next sampler begins is the same one.
            pthread_mutex_lock(&mutex);
            for (int row = 0; row < MOST; row++) {
                if (slow[row].ended == 0) { slow[row].ended = ccorinth_monotonic_time(); }
            }
            pthread_mutex_unlock(&mutex);
            // The next watcher starts another one.
            is_watching = false;
        }
        pthread_mutex_unlock(&watching);
    }
}

static void forget_sampler(void) {
    mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    watching = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    watchers = 0;
    is_watching = false;
    memset(slow, 0, sizeof slow);
    memset(serials, 0, sizeof serials);
}

int ccorinth_watch_deliveries(void) {
    make_key_once();
    int error = 0;
    pthread_mutex_lock(&watching);
    if (!is_watching) { error = ccorinth_start_thread("corinth.sampler", NULL, sample, &watching); }
    if (error == 0) {
        is_watching = true;
        watchers += 1;
    }
    pthread_mutex_unlock(&watching);
    return error;
}

void ccorinth_end_watching(void) {
    pthread_mutex_lock(&watching);
    // In a child of a fork, none may be left.
    if (watchers > 0) { watchers -= 1; }
    pthread_mutex_unlock(&watching);
}

size_t ccorinth_copy_deliveries(ccorinth_slow_delivery *deliveries, size_t most) {
    pthread_mutex_lock(&mutex);
    size_t count = 0;
    for (int row = 0; row < MOST && count < most; row++) {
        if (slow[row].count > 0) { deliveries[count++] = slow[row]; }
    }
    pthread_mutex_unlock(&mutex);
    return count;
}

size_t ccorinth_delivery_limit(void) { return MOST; }
#else
static void forget_sampler(void) {}
int ccorinth_watch_deliveries(void) { return 0; }
void ccorinth_end_watching(void) {}

size_t ccorinth_copy_deliveries(ccorinth_slow_delivery *deliveries, size_t most) {
    (void)deliveries;
    (void)most;
    return 0;
}

size_t ccorinth_delivery_limit(void) { return 0; }
#endif
