/// The functions of Swift's runtime that Swift code can't call by name.
#ifndef CORINTH_REFERENCES_H
#define CORINTH_REFERENCES_H

#include <stdint.h>

/// Releases an object `count` times, with one atomic operation.
extern void swift_release_n(void *_Nonnull object, uint32_t count);

/// Retains an object `count` times, with one atomic operation.
extern void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);

extern void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);

/// Retains an object that no other thread knows, without an atomic operation.
static inline void corinth_retain_unshared(void *_Nonnull object) {
    // The compiler doesn't see which object it is. Otherwise Swift's optimiser would pair this with a release of the same
    // object, and leave an atomic retain.
    __asm__("" : "+r"(object));
    swift_nonatomic_retain(object);
}

#endif
