/// References of objects of Swift. Tests/Optimised has this and audit.c as its module CAudit.
#ifndef AUDIT_H
#define AUDIT_H

#include <stdint.h>

/// How many strong references an object has.
uint64_t audit_count(const void *_Nonnull object);

/// Gives an object references that nobody releases.
void audit_spare(void *_Nonnull object, uint32_t count);

/// Retains and releases an object as a thread does that believes to be alone: another thread's change may be lost.
void audit_lose(void *_Nonnull object);

#endif
