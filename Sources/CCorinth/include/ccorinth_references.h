/// What Swift code can't say about references.
#ifndef CORINTH_REFERENCES_H
#define CORINTH_REFERENCES_H

#include <stdbool.h>

/// Releases an object twice, with one atomic operation.
///
/// Not inlined. Swift's optimiser knows the functions of its runtime by their names. If it meets one that it hasn't made itself, or
/// one without atomic operations, it may use that for other objects of the same function, too: those of the library's users.
/// So Swift code calls none of them.
void ccorinth_release_twice(void *_Nonnull object);

/// Retains an object, unless its end has begun. Its memory must still be there.
bool ccorinth_try_retain(void *_Nonnull object);

#endif
