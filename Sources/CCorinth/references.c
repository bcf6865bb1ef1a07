#include "CCorinth.h"

// Functions of Swift's runtime.
extern void swift_release_n(void *_Nonnull object, uint32_t count);
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

void ccorinth_release_twice(void *_Nonnull object) { swift_release_n(object, 2); }

bool ccorinth_try_retain(void *object) { return swift_tryRetain(object) != NULL; }
