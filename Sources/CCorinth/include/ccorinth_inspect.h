/// Shows what the registry has to other processes, over a socket and in a file.
#ifndef CORINTH_INSPECT_H
#define CORINTH_INSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// For the library alone.
#pragma GCC visibility push(hidden)

/// The state of all streams as a line of text, whose memory the caller frees. Defined in Swift; NULL where nothing of that is linked.
extern char *_Nullable ccorinth_snapshot_text(size_t *_Nonnull size) __attribute__((weak));

/// The same as the text of a system of metrics, in several lines.
extern char *_Nullable ccorinth_metrics_text(size_t *_Nonnull size) __attribute__((weak));

/// Listens at a path, from now on: a line is answered with a snapshot, and `GET /metrics` of HTTP with the metrics. Only the user of
/// the process and root may connect. Without a path, it is /tmp/corinth-PID.sock. Listening there already, it does nothing.
///
/// Returns 0 or a system error number: EINVAL for a path that is too long, EADDRINUSE if another process listens there, or if this
/// one listens elsewhere.
int ccorinth_serve_snapshots(const char *_Nullable path);

/// Appends a snapshot to a file each time that a signal comes, from now on. Without a path, it is /tmp/corinth-PID.json. Doing so
/// already, it does nothing.
///
/// Returns 0 or a system error number: EINVAL for a signal that can't be handled, EBUSY if the program handles it, or if this writes
/// elsewhere or on another signal already.
int ccorinth_write_snapshots(int number, const char *_Nullable path);

/// What the last answer took of a processor, in nanoseconds; 0 before the first.
uint64_t ccorinth_look_cost(void);

/// Reads a byte that another thread may be writing.
uint8_t ccorinth_peek(const void *_Nonnull address);

/// The number of this process.
int32_t ccorinth_process(void);

/// A part of the program's code in memory: address minus bias is the address that the file's symbols have.
typedef struct {
    const char *_Nonnull path;
    uintptr_t start, end, offset, bias;
} ccorinth_code;

/// Calls a function with each part of the program's code.
void ccorinth_visit_code(void *_Nullable context, void (*_Nonnull visit)(void *_Nullable, const ccorinth_code *_Nonnull));

#pragma GCC visibility pop

#endif
