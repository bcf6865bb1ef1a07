/// Which descriptors are ready: the system's epoll, which Swift's modules of the C library don't have. Nothing here exists on other
/// systems.
#ifndef CORINTH_EPOLL_H
#define CORINTH_EPOLL_H

#ifdef __linux__

#include <stdbool.h>
#include <sys/epoll.h>

/// - Returns: A new list of watched descriptors, or -1, with `errno`.
static inline int ccorinth_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Watches a descriptor until it is ready, or broken, once. `watch` is what ccorinth_epoll_ready() gives then.
///
/// - Parameter isNew: Whether the list doesn't have the descriptor yet.
/// - Returns: 0, or -1, with `errno`.
static inline int ccorinth_epoll_watch(int list, int descriptor, bool isForReading, bool isNew, void *_Nonnull watch) {
    struct epoll_event event = {
        .events = (isForReading ? EPOLLIN : EPOLLOUT) | EPOLLONESHOT,
        .data.ptr = watch,
    };
    return epoll_ctl(list, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

/// Removes a descriptor from the list.
static inline void ccorinth_epoll_unwatch(int list, int descriptor) { epoll_ctl(list, EPOLL_CTL_DEL, descriptor, 0); }

/// Writes what was given to watch the descriptors that are ready, without waiting.
///
/// - Returns: How many there are, at most 64, for which there must be room.
static inline int ccorinth_epoll_ready(int list, void *_Nullable *_Nullable watches) {
    struct epoll_event events[64];
    int count = epoll_wait(list, events, 64, 0);
    for (int index = 0; index < count; index++) watches[index] = events[index].data.ptr;
    return count > 0 ? count : 0;
}

#endif

#endif
