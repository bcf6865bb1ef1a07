#include "ccorinth_epoll.h"

#ifdef __linux__

#include <sys/epoll.h>

int ccorinth_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int ccorinth_epoll_watch(int list, int descriptor, bool isForReading, bool isNew, void *watch) {
    struct epoll_event event = {
        .events = (isForReading ? EPOLLIN : EPOLLOUT) | EPOLLONESHOT,
        .data.ptr = watch,
    };
    return epoll_ctl(list, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

void ccorinth_epoll_unwatch(int list, int descriptor) { epoll_ctl(list, EPOLL_CTL_DEL, descriptor, 0); }

int ccorinth_epoll_ready(int list, void **watches) {
    struct epoll_event events[64];
    int count = epoll_wait(list, events, 64, 0);
    for (int index = 0; index < count; index++) watches[index] = events[index].data.ptr;
    return count > 0 ? count : 0;
}

#else

// A target needs a file of its own.
typedef int ccorinth_no_epoll;

#endif
