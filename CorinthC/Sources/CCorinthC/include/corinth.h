/// Corinth's streams for C, and for all that speaks C.
///
/// ```c
/// corinth_input *input;
/// corinth_signal *ticks = corinth_pipe(NULL, &input);
/// corinth_observer observer = {.value = on_tick};
/// corinth_disposable *observation = corinth_observe(ticks, &observer);
/// corinth_send(input, (corinth_value){.bits = 42});
/// corinth_end(input, CORINTH_COMPLETED, NULL);
/// corinth_release(observation), corinth_release(ticks), corinth_release(input);
/// ```
///
/// Laws are cited by their numbers in Corinth's documentation (the page “Contracts”). What holds for every function is said here,
/// the rest at each of them.
///
/// **Ownership.** Handles are counted. A function that returns a handle, or stores one through a pointer, gives it to you: release
/// it with `corinth_release`. So does a callback that returns one: it gives it to the library. Arguments are borrowed, in both
/// directions: a function keeps for itself what it needs of its arguments, and a callback that keeps an argument retains it. The
/// one exception is the `corinth_task` of a scheduler. The owner of a value is a handle like any other, in the values that you
/// send, get and are given.
///
/// A call needs its arguments until it returns. So a callback doesn't release the last reference on an input to which its own
/// thread is just sending, or another that uses the same reference: it ends the stream, and whoever sends releases.
///
/// **Callbacks.** A callback comes with a context, and with a function that releases the context, which is called exactly once:
/// when the library will never call the callback again. Every callback may call every function of this header, also to dispose of
/// what has called it, unless it says otherwise. It must return: not by `longjmp`, by an exception or by the end of its thread.
///
/// **Threads.** Any thread may call any function at any time, with any handle on which it has a reference, and needs nothing before
/// or after it. Callbacks of one observation never overlap, and each sees what the one before it has written (law E2). On which
/// thread they run is said in law E5: on the one that sends, on another one that sends at the same time, or on one of the
/// library's. If it matters, `corinth_observe_on` decides.
///
/// **Mistakes.** What a function demands of its arguments, such as a capacity of at least 1, is checked: a mistake prints one line
/// and ends the process with SIGABRT. A pointer that is no handle, or not any more, is undefined behaviour, unless the process was
/// started with `CORINTH_CHECK_HANDLES=1` in its environment: then it ends in the same way, with a line that names the function and
/// what is wrong, and a line at the exit says how many handles were not released. That makes each call take a lock.
///
/// **The end of the process.** The library's threads run until the process exits, and callbacks with them. Dispose of what calls
/// into code or data that goes first. The library can't be unloaded: `dlclose` leaves it where it is.
///
/// **fork.** Neither queues nor threads survive it in the child. Call `exec`, or nothing of this library.
#ifndef CORINTH_H
#define CORINTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The version of this header. Compatible versions have the same first number, from 1.
#define CORINTH_VERSION_MAJOR 0
#define CORINTH_VERSION_MINOR 1
#define CORINTH_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#define CORINTH_NULLABLE _Nullable
#define CORINTH_NONNULL _Nonnull
#else
#define CORINTH_NULLABLE
#define CORINTH_NONNULL
#endif

// MARK: Handles

/// Handles. They have a size so that they are types of their own in every language. Never copy what they point to.
#define CORINTH_HANDLE(name) \
    typedef struct name { \
        unsigned char hidden; \
    } name

/// A stream of events: values, and one end.
CORINTH_HANDLE(corinth_signal);
/// Where the events of a signal, or of the start of a producer, are sent. The last release of it interrupts the stream.
CORINTH_HANDLE(corinth_input);
/// A recipe for streams: each start makes one.
CORINTH_HANDLE(corinth_producer);
/// The lifetime of a start.
CORINTH_HANDLE(corinth_lifetime);
/// A value that changes.
CORINTH_HANDLE(corinth_property);
/// A function that gives a stream for a value, one execution at a time.
CORINTH_HANDLE(corinth_action);
/// Where callbacks run: one at a time, in order.
CORINTH_HANDLE(corinth_scheduler);
/// What a scheduler of yours has to run.
CORINTH_HANDLE(corinth_task);
/// What can be disposed of: an observation, a start, something scheduled.
CORINTH_HANDLE(corinth_disposable);
/// Counts what a buffer gets, delivers and drops.
CORINTH_HANDLE(corinth_statistics);
/// What keeps alive what the bits of a value point to.
CORINTH_HANDLE(corinth_owner);

#undef CORINTH_HANDLE

/// The version of the library: (major × 1000 + minor) × 1000 + patch.
uint32_t corinth_version(void);

/// Adds a reference to a handle of any type. NULL does nothing.
void corinth_retain(void *CORINTH_NULLABLE handle);

/// Takes a reference from a handle of any type. With the last one, an input interrupts its stream. Nothing is disposed of: an
/// observation goes on until it is disposed of or its stream ends. NULL does nothing.
///
/// It runs the release functions of contexts and owners of which this was the last reference.
void corinth_release(void *CORINTH_NULLABLE handle);

// MARK: Values

/// A value: 64 bits of yours, and what keeps alive what they point to, or NULL.
typedef struct corinth_value {
    uint64_t bits;
    corinth_owner *CORINTH_NULLABLE owner;
} corinth_value;

/// Makes an owner.
///
/// - context, release: `release(context)` is called exactly once, when neither you nor any stream, buffer or property has a value
///   with this owner any more, on the thread where that happens. A value that is dropped, because a buffer is full or a stream has
///   ended, is released, too. It is called while the library may be in the middle of something: it doesn't call this library,
///   except for `corinth_release`.
/// Cost: one allocation.
corinth_owner *corinth_owner_create(void *CORINTH_NULLABLE context, void (*CORINTH_NONNULL release)(void *CORINTH_NULLABLE context));

/// An error: a number and a text. Two numbers are the library's.
typedef struct corinth_error {
    int32_t code;
    /// UTF-8. NULL is the same as "". In a callback: never NULL, and valid until the callback returns.
    const char *CORINTH_NULLABLE text;
} corinth_error;

enum {
    /// The error of `corinth_apply` if the action is disabled or executing.
    CORINTH_ERROR_DISABLED = INT32_MIN,
    /// The error of a stream whose buffer was full, with the policy `CORINTH_FAIL`.
    CORINTH_ERROR_FULL = INT32_MIN + 1
};

/// How a stream ends (law E6).
typedef enum corinth_end_kind {
    /// There was nothing more to send. Comes behind all values.
    CORINTH_COMPLETED = 0,
    /// There is an error.
    CORINTH_FAILED = 1,
    /// The work was cancelled. Overtakes the values that wait in buffers, which are dropped.
    CORINTH_INTERRUPTED = 2,
} corinth_end_kind;

/// What receives the events of a stream. NULL functions ignore theirs.
typedef struct corinth_observer {
    void *CORINTH_NULLABLE context;
    void (*CORINTH_NULLABLE value)(void *CORINTH_NULLABLE context, corinth_value value);
    /// Called at most once, after the last value. `error` is NULL unless `end` is `CORINTH_FAILED`.
    void (*CORINTH_NULLABLE end)(
        void *CORINTH_NULLABLE context, corinth_end_kind end, const corinth_error *CORINTH_NULLABLE error);
    void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context);
} corinth_observer;

// MARK: Buffers

/// What a buffer does when it is full (law X2).
typedef enum corinth_policy {
    /// The sender waits, in its turn, outside of callbacks, and never for itself.
    CORINTH_BLOCK = 0,
    CORINTH_DROP_NEWEST = 1,
    CORINTH_DROP_OLDEST = 2,
    /// The stream fails with `CORINTH_ERROR_FULL`, behind the values that are buffered.
    CORINTH_FAIL = 3,
    CORINTH_UNBOUNDED = 4,
} corinth_policy;

/// A buffer. All zeros, except for a capacity, is a buffer that makes senders wait.
typedef struct corinth_buffering {
    corinth_policy policy;
    /// In values. At least 1, unless unbounded.
    uint32_t capacity;
    /// With `CORINTH_BLOCK`: each time that so many nanoseconds pass without a delivery, one more capacity is admitted. 0 stands
    /// for 100 ms, less than 0 for never.
    int64_t stall_timeout;
    /// Counts. May be NULL, or shared by several buffers.
    corinth_statistics *CORINTH_NULLABLE statistics;
} corinth_buffering;

/// Makes statistics whose counts are 0. They cost two atomic additions for each value.
corinth_statistics *corinth_statistics_create(void);

/// The counts of statistics. Each is exact. While values are sent, one may be newer than another.
typedef struct corinth_counts {
    /// Values that were stored or dropped. One whose sender waits isn't counted yet.
    uint64_t sent;
    uint64_t delivered;
    /// Because the buffer was full, or because the stream ended first.
    uint64_t dropped;
} corinth_counts;

/// Reads statistics.
corinth_counts corinth_statistics_read(corinth_statistics *statistics);

// MARK: Signals

/// Makes a signal and its input.
///
/// - inbox: The buffer for values that are sent while another thread delivers, or from a callback of the signal itself. NULL makes
///   senders wait, with a capacity of 16,384.
/// - input: Where the input is stored.
/// Cost: two allocations, and those of the handles.
corinth_signal *corinth_pipe(
    const corinth_buffering *CORINTH_NULLABLE inbox, corinth_input *CORINTH_NULLABLE *CORINTH_NONNULL input);

/// Sends a value. If the signal is idle, it is delivered before this returns, on this thread. Otherwise it is queued (law E5), and
/// the buffer's policy applies. A stream that has ended drops it.
///
/// Cost: no lock, allocation or system call where it is delivered at once; one allocation where it is queued.
void corinth_send(corinth_input *input, corinth_value value);

/// Sends a value, unless that would have to wait: then it returns false, and nothing was sent. Never waits.
bool corinth_try_send(corinth_input *input, corinth_value value);

/// Ends the stream. Never waits. Later events are dropped (law E1).
///
/// - error: Of `CORINTH_FAILED`; NULL is the code 0 without a text. Ignored for the other ends.
void corinth_end(corinth_input *input, corinth_end_kind end, const corinth_error *CORINTH_NULLABLE error);

/// Observes a signal.
///
/// - observer: Copied.
/// Returns the observation. It goes on until it is disposed of, or the stream ends, whether the handle is released or not. On a
/// signal that has ended, `end` is called with `CORINTH_INTERRUPTED` before this returns, and the observation is over (law S4).
/// After `corinth_dispose`, called on it in a callback of the observer, nothing is called any more; called by another thread, a
/// callback may be in progress (law E7).
corinth_disposable *corinth_observe(corinth_signal *signal, const corinth_observer *observer);

/// A signal of what a function makes of each value.
///
/// - map: Called once for each value, however many observers there are (law S2). Returns a value whose owner it gives away: to pass
///   on the owner that it got, retain it.
corinth_signal *corinth_map(
    corinth_signal *signal, corinth_value (*CORINTH_NONNULL map)(void *CORINTH_NULLABLE context, corinth_value value),
    void *CORINTH_NULLABLE context, void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

/// A signal of the values for which a function returns true.
corinth_signal *corinth_filter(
    corinth_signal *signal, bool (*CORINTH_NONNULL is_included)(void *CORINTH_NULLABLE context, corinth_value value),
    void *CORINTH_NULLABLE context, void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

/// A signal of the values of all signals. Completes when all have ended without a failure.
corinth_signal *corinth_merge(corinth_signal *CORINTH_NONNULL const *CORINTH_NONNULL signals, size_t count);

/// A signal with the same events, on a scheduler (law C3). This is how a thread hands over to another one.
///
/// - buffering: The buffer between the sender and the scheduler. NULL makes senders wait, with a capacity of 16,384.
corinth_signal *corinth_observe_on(
    corinth_signal *signal, corinth_scheduler *scheduler, const corinth_buffering *CORINTH_NULLABLE buffering);

/// What receives the values of a stream in batches.
typedef struct corinth_batch_observer {
    void *CORINTH_NULLABLE context;
    /// `values` is valid until the function returns. `count` is at least 1.
    void (*CORINTH_NULLABLE values)(void *CORINTH_NULLABLE context, const corinth_value *values, size_t count);
    void (*CORINTH_NULLABLE end)(
        void *CORINTH_NULLABLE context, corinth_end_kind end, const corinth_error *CORINTH_NULLABLE error);
    void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context);
} corinth_batch_observer;

/// Observes a signal in batches, on a scheduler. For languages in which a callback is expensive.
///
/// - count: How many values a batch has at most. At least 1.
/// - within: How long the first value of a batch waits, in nanoseconds. At least 0.
/// - buffering: As in `corinth_observe_on`. Values wait in it and then in their batch.
/// A completion delivers the batch that has begun; another end drops it.
corinth_disposable *corinth_observe_batches(
    corinth_signal *signal, corinth_scheduler *scheduler, const corinth_buffering *CORINTH_NULLABLE buffering, size_t count,
    int64_t within, const corinth_batch_observer *observer);

// MARK: Producers

/// Makes a producer.
///
/// - start: Called for each start, on the thread that starts. It sends to `input`, at once or, if it retains it, later and from any
///   thread. If it neither ends nor retains it, the start is interrupted when the handle of `corinth_start` is released (law P5).
///   `lifetime` ends when the stream does, or the start is disposed of.
corinth_producer *corinth_producer_create(
    void (*CORINTH_NONNULL start)(void *CORINTH_NULLABLE context, corinth_input *input, corinth_lifetime *lifetime),
    void *CORINTH_NULLABLE context, void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

/// Starts a producer. Disposing of the result interrupts the observer, and ends the lifetime (law P2).
corinth_disposable *corinth_start(corinth_producer *producer, const corinth_observer *observer);

/// Whether nobody waits any more for what a start sends: for a `start` function that sends in a loop.
bool corinth_lifetime_has_ended(corinth_lifetime *lifetime);

/// Disposes of something when a lifetime ends, or at once if it has ended.
void corinth_lifetime_add(corinth_lifetime *lifetime, corinth_disposable *disposable);

// MARK: Disposables

/// Makes a disposable.
///
/// - dispose: Called with the first `corinth_dispose`; not at all if there is none before the last reference is released.
corinth_disposable *corinth_disposable_create(
    void (*CORINTH_NONNULL dispose)(void *CORINTH_NULLABLE context), void *CORINTH_NULLABLE context,
    void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

/// Disposes. To dispose twice is harmless, from any thread, and in every callback. Never waits. NULL does nothing.
void corinth_dispose(corinth_disposable *CORINTH_NULLABLE disposable);

// MARK: Properties

/// Makes a property.
corinth_property *corinth_property_create(corinth_value initial);

/// The current value. Its owner is yours. Never waits (law R1).
corinth_value corinth_property_get(corinth_property *property);

/// Sets the value. The observers hear of it in the order of the changes (law R3). Never waits for them.
///
/// Returns whether it was set: a property that came from Swift may be read-only.
bool corinth_property_set(corinth_property *property, corinth_value value);

/// A producer of the current value, then of every change (law R2). Completes when the property is released for the last time.
corinth_producer *corinth_property_values(corinth_property *property);

// MARK: Actions

/// Makes an action.
///
/// - is_enabled: The action is disabled while the bits of its value are 0. NULL for an action that is always enabled.
/// - execute: Gives the stream for a value. It may return NULL, for one that completes at once.
corinth_action *corinth_action_create(
    corinth_property *CORINTH_NULLABLE is_enabled,
    corinth_producer *CORINTH_NULLABLE (*CORINTH_NONNULL execute)(void *CORINTH_NULLABLE context, corinth_value value),
    void *CORINTH_NULLABLE context, void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

/// A producer that executes an action with a value when it is started. It fails with `CORINTH_ERROR_DISABLED` if the action is
/// disabled or executing (law A1).
corinth_producer *corinth_apply(corinth_action *action, corinth_value value);

// MARK: Schedulers

/// Makes a scheduler on a serial queue of its own, which takes a thread of Dispatch's when there is work. There may be thousands.
///
/// - name: UTF-8, copied.
corinth_scheduler *corinth_queue_create(const char *name);

/// How a thread waits for work.
typedef enum corinth_waiting {
    /// Spins for some 10 µs, then sleeps.
    CORINTH_SPIN_THEN_PARK = 0,
    /// Sleeps at once.
    CORINTH_PARK = 1,
    /// Spins, then yields its time slice before each check.
    CORINTH_SPIN_THEN_YIELD = 2,
    /// Spins. For a core that runs nothing else.
    CORINTH_BUSY_SPIN = 3,
} corinth_waiting;

/// Makes a scheduler with a thread of its own. The thread ends, when its work is done, after the last release.
///
/// - name: UTF-8, copied. Linux shows 15 bytes of it.
/// - processor: To which it is bound, from 0; less than 0 for any.
/// Returns NULL, and sets errno, if there is no thread to be had (EAGAIN), or if this process may not use the processor (EINVAL).
corinth_scheduler *CORINTH_NULLABLE corinth_thread_create(const char *name, corinth_waiting waiting, int32_t processor);

/// Makes a scheduler of what you have: an event loop, a thread, a pool with an order.
///
/// - schedule: Queues a task, and returns: it doesn't run it (law C2). It is called by any thread, also by several at once. The
///   task is given away: `corinth_task_run` takes it. Tasks run one at a time, in the order in which they came (laws C1, C5). A
///   loop that has ended releases those that it doesn't run, and what they would have delivered is never delivered.
/// Tasks with a delay are given to it when their time has come, by a thread of the library's.
corinth_scheduler *corinth_scheduler_create(
    void (*CORINTH_NONNULL schedule)(void *CORINTH_NULLABLE context, corinth_task *task), void *CORINTH_NULLABLE context,
    void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

/// Runs a task of a scheduler of yours, and releases it.
void corinth_task_run(corinth_task *task);

/// Runs a function on a scheduler.
///
/// - delay: In nanoseconds; 0 for at once.
/// - run: Called once, or not at all if the result was disposed of before.
corinth_disposable *corinth_schedule(
    corinth_scheduler *scheduler, int64_t delay, void (*CORINTH_NONNULL run)(void *CORINTH_NULLABLE context),
    void *CORINTH_NULLABLE context, void (*CORINTH_NULLABLE release)(void *CORINTH_NULLABLE context));

#if defined(__clang__)
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#undef CORINTH_NULLABLE
#undef CORINTH_NONNULL

#ifdef __cplusplus
}
#endif

#endif
