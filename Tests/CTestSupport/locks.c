// The locks that a thread holds at once. A test of the naive build that holds too many for thread sanitizer fails in every run,
// not only under thread sanitizer, which few people wait for.
#define _GNU_SOURCE
#include "CTestSupport.h"

#include <stdatomic.h>

bool test_has_thread_sanitizer(void) { return __has_feature(thread_sanitizer); }

static atomic_int permissions;

void test_begin_many_locks(void) { atomic_fetch_add(&permissions, 1); }

void test_end_many_locks(void) { atomic_fetch_sub(&permissions, 1); }

#ifdef __linux__
#include <features.h>
#endif

#if defined(NAIVE_LOCKS) && defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*operation)(pthread_mutex_t *mutex);

static _Thread_local int held;

// The function of the C library that the one below replaces, also for calls from other libraries.
static operation next(_Atomic(operation) *found, const char *name) {
    operation function = atomic_load_explicit(found, memory_order_relaxed);
    if (function == NULL) {
        function = (operation)dlsym(RTLD_NEXT, name);
        if (function == NULL) abort();
        atomic_store_explicit(found, function, memory_order_relaxed);
    }
    return function;
}

static int counted(int result) {
    if (result == 0 && ++held > TEST_MOST_LOCKS && atomic_load(&permissions) == 0) {
        fprintf(
            stderr,
            "Fatal error: a thread of a test holds more than the %d locks that thread sanitizer supports; use Nesting.deep\n",
            TEST_MOST_LOCKS);
        abort();
    }
    return result;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static _Atomic(operation) function;
    return counted(next(&function, "pthread_mutex_lock")(mutex));
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    static _Atomic(operation) function;
    return counted(next(&function, "pthread_mutex_trylock")(mutex));
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    static _Atomic(operation) function;
    held--;
    return next(&function, "pthread_mutex_unlock")(mutex);
}

#endif
