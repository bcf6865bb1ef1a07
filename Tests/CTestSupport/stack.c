#include "CTestSupport.h"

#include <ccorinth_thread.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
    char *stack;
    ptrdiff_t left;
} descent;

// Frames of about 1 KiB, each of which is used after the call, so that no call becomes a jump.
static const char *descend(void) {
    volatile char frame[1024];
    frame[0] = 1;
    const char *lowest = ccorinth_stack_is_low() ? (const char *)frame : descend();
    frame[0] = 2;
    return lowest;
}

static void *measure(void *argument) {
    descent *measured = argument;
    measured->left = descend() - measured->stack;
    return NULL;
}

ptrdiff_t test_stack_left_when_low(size_t size) {
    descent measured = {.stack = aligned_alloc(1 << 14, size), .left = -1};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_t thread;
    // Not just a size: the system gives a thread any larger stack that is free.
    if (measured.stack != NULL && pthread_attr_setstack(&attributes, measured.stack, size) == 0
        && pthread_create(&thread, &attributes, measure, &measured) == 0) {
        pthread_join(thread, NULL);
    }
    pthread_attr_destroy(&attributes);
    free(measured.stack);
    return measured.left;
}
