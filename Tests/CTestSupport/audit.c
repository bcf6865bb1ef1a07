#include "audit.h"

#include <stddef.h>

// Functions of Swift's runtime. Here, where its optimiser doesn't see them.
extern size_t swift_retainCount(const void *object);
extern void *swift_retain_n(void *object, uint32_t count);
extern void *swift_nonatomic_retain(void *object);
extern void swift_nonatomic_release(void *object);

uint64_t audit_count(const void *object) { return swift_retainCount(object); }

void audit_spare(void *object, uint32_t count) { swift_retain_n(object, count); }

void audit_lose(void *object) {
    swift_nonatomic_retain(object);
    swift_nonatomic_release(object);
}
