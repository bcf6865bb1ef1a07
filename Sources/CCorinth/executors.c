#include "CCorinth.h"

#if defined(__linux__)
/// A function of Swift's runtime. Without flags, it asks no executor, some of which would stop the program.
extern __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(
    const void *_Nullable identity, uintptr_t implementation, uint64_t flags);

bool ccorinth_runs_executor(const void *identity, uintptr_t implementation) {
    return swift_task_isCurrentExecutorWithFlags(identity, implementation, 0);
}
#else
// Newer than the oldest system that the library supports.
bool ccorinth_runs_executor(const void *identity, uintptr_t implementation) { return false; }
#endif
