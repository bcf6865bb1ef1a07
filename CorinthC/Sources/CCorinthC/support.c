#include "support.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corinth.h"

bool ccorinth_checked_handles = false;

__attribute__((constructor)) static void read_environment(void) {
    const char *value = getenv("CORINTH_CHECK_HANDLES");
    ccorinth_checked_handles = value != NULL && strcmp(value, "1") == 0;
}

void ccorinth_print(const char *text) { fprintf(stderr, "corinth: %s\n", text); }

void ccorinth_stop(const char *text) {
    ccorinth_print(text);
    abort();
}

void ccorinth_set_errno(int code) { errno = code; }

void ccorinth_at_exit(void (*function)(void)) { atexit(function); }

// What clients in other languages have written down.
_Static_assert(sizeof(corinth_value) == 16 && offsetof(corinth_value, owner) == 8, "corinth_value");
_Static_assert(sizeof(corinth_observer) == 4 * sizeof(void *), "corinth_observer");
_Static_assert(sizeof(corinth_batch_observer) == 4 * sizeof(void *), "corinth_batch_observer");
_Static_assert(sizeof(corinth_policy) == 4 && sizeof(corinth_end_kind) == 4 && sizeof(corinth_waiting) == 4, "enums");
_Static_assert(sizeof(corinth_buffering) == 24 && offsetof(corinth_buffering, statistics) == 16, "corinth_buffering");
_Static_assert(sizeof(corinth_error) == 16 && offsetof(corinth_error, text) == 8, "corinth_error");
