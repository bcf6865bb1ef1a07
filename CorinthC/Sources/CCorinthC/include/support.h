/// What the Swift code of the bridge needs of C. Not installed.
#ifndef CORINTH_SUPPORT_H
#define CORINTH_SUPPORT_H

#include <errno.h>
#include <stdbool.h>

/// Set before `main`, and never again.
extern bool ccorinth_checked_handles;

/// Whether the process was started with `CORINTH_CHECK_HANDLES=1`.
static inline bool ccorinth_checks_handles(void) { return __builtin_expect(ccorinth_checked_handles, false); }

/// Prints `corinth: ` and a text to standard error, as one line, and ends the process with SIGABRT.
void ccorinth_stop(const char *_Nonnull text) __attribute__((noreturn, cold));

/// Calls a function when the process exits.
void ccorinth_at_exit(void (*_Nonnull function)(void));

/// `errno`, which Swift code can't set without all of the system's library.
void ccorinth_set_errno(int code);

/// Prints a line to standard error.
void ccorinth_print(const char *_Nonnull text);

#endif
