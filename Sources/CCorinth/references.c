#include "CCorinth.h"

/// A function of Swift's runtime.
extern void swift_release_n(void *_Nonnull object, uint32_t count);

void ccorinth_release_twice(void *_Nonnull object) { swift_release_n(object, 2); }
