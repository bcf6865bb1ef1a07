/// The functions of Swift's runtime that Swift code can't call by name.
#ifndef CORINTH_REFERENCES_H
#define CORINTH_REFERENCES_H

#include <stdint.h>

/// Releases an object `count` times, with one atomic operation.
extern void swift_release_n(void *_Nonnull object, uint32_t count);

/// Retains an object `count` times, with one atomic operation.
extern void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);

#define CORINTH_LABEL_(prefix, name) CORINTH_STRING_(prefix) name
#define CORINTH_STRING_(text) #text
#define CORINTH_LABEL(name) CORINTH_LABEL_(__USER_LABEL_PREFIX__, name)

/// Retains an object that no other thread knows, without an atomic operation. The compiler doesn't see which function it is:
/// Swift's optimiser would merge several calls, or one with a usual retain, into an atomic operation.
extern void *_Nonnull corinth_retain_unshared(void *_Nonnull object) __asm__(CORINTH_LABEL("swift_nonatomic_retain"));

#endif
