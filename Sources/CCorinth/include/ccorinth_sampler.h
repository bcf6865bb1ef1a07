/// Finds deliveries that take long, without a cost for those that don't.
#ifndef CORINTH_SAMPLER_H
#define CORINTH_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// For the library alone.
#pragma GCC visibility push(hidden)

/// The return addresses that are kept of a slow delivery.
#define CORINTH_SAMPLER_FRAMES 48

/// The streams that are kept of it.
#define CORINTH_SAMPLER_STREAMS 8

/// A stream that a thread holds, and what waits for it.
typedef struct {
    uintptr_t stream;
    uint64_t values, senders;
} ccorinth_held_stream;

/// Deliveries, on one thread or on several, that were in the same calls when these were last looked for.
typedef struct {
    /// Of the last one, as debuggers show it.
    char thread[16];
    int32_t number;
    uint32_t frame_count;
    uint32_t stream_count;
    /// How many there were.
    uint64_t count;
    /// The longest one, in nanoseconds, from when it was first seen to when it was last seen.
    uint64_t duration;
    /// When the last one was seen last, in nanoseconds of the monotonic clock; 0 while it goes on.
    uint64_t ended;
    /// The most that waited for the streams, as far as was seen.
    uint64_t values, senders;
    uint64_t stack;
    uintptr_t streams[CORINTH_SAMPLER_STREAMS];
    /// Innermost first.
    uintptr_t frames[CORINTH_SAMPLER_FRAMES];
} ccorinth_slow_delivery;

/// Notes the calling thread, which has no number yet.
void ccorinth_enter_thread(void);

/// Watches all threads until `ccorinth_end_watching` was called as often. Returns 0 or a system error number.
int ccorinth_watch_deliveries(void);

void ccorinth_end_watching(void);

/// Copies the slow deliveries that were seen, at most `most`, and returns their number.
size_t ccorinth_copy_deliveries(ccorinth_slow_delivery *_Nonnull deliveries, size_t most);

/// How many slow deliveries are remembered.
size_t ccorinth_delivery_limit(void);

/// The streams that a thread holds, or may hold, by its token. Defined in Swift; NULL where nothing of that is linked.
extern size_t ccorinth_held_streams(uint64_t token, ccorinth_held_stream *_Nonnull streams, size_t most) __attribute__((weak));

/// From now on, each thread that has a number calls `body` when it ends. The first one counts.
void ccorinth_at_thread_end(void (*_Nonnull body)(void));

#pragma GCC visibility pop

#endif
