#ifndef CCORINTH_EPOLL_H
#define CCORINTH_EPOLL_H

// The system's epoll, which Swift's modules of the C library don't have. Nothing here exists on other systems.

#ifdef __linux__

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/// - Returns: A new list of watched descriptors, or -1, with `errno`.
int ccorinth_epoll_create(void);

/// Watches a descriptor until it is ready, or broken, once. `watch` is what ccorinth_epoll_ready() gives then.
///
/// - Parameter isNew: Whether the list doesn't have the descriptor yet.
/// - Returns: 0, or -1, with `errno`.
int ccorinth_epoll_watch(int list, int descriptor, bool isForReading, bool isNew, void *_Nonnull watch);

/// Removes a descriptor from the list.
void ccorinth_epoll_unwatch(int list, int descriptor);

/// Writes what was given to watch the descriptors that are ready, without waiting.
///
/// - Returns: How many there are, at most 64, for which there must be room.
int ccorinth_epoll_ready(int list, void *_Nullable *_Nullable watches);

#pragma GCC visibility pop

#endif

#endif
