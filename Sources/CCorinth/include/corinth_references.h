/// The functions of Swift's runtime that Swift code can't call by name.
#ifndef CORINTH_REFERENCES_H
#define CORINTH_REFERENCES_H

#include <stdint.h>

/// Releases an object `count` times, with one atomic operation.
extern void swift_release_n(void *_Nonnull object, uint32_t count);

/// Retains an object `count` times, with one atomic operation.
extern void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);

/// Retains an object that no other thread knows, without an atomic operation.
extern void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);

#endif
