/// Which objects of the library are alive, and where each was made.
///
/// It lies in plain memory, in C's layout, so that a debugger reads it in a live process and in a core file alike.
#ifndef CORINTH_REGISTRY_H
#define CORINTH_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// 0 until it is first on; 1 while objects enter it; 2 when no further ones do, and those that are in it still leave.
extern _Atomic(uint32_t) ccorinth_registry_state;

/// Whether an object that is made enters it.
static inline __attribute__((always_inline)) bool ccorinth_registry_is_on(void) {
    // relaxed: an object that is made while it is turned on may be missing.
    return __builtin_expect(atomic_load_explicit(&ccorinth_registry_state, memory_order_relaxed) == 1, 0);
}

/// Whether an object that ends may be in it.
static inline __attribute__((always_inline)) bool ccorinth_registry_may_contain(void) {
    // relaxed: who releases an object's last reference has seen what its maker has seen.
    return __builtin_expect(atomic_load_explicit(&ccorinth_registry_state, memory_order_relaxed) != 0, 0);
}

// What follows is for the library alone.
#pragma GCC visibility push(hidden)

/// The return addresses that are kept of each object's maker. Those of the library itself are among them, since only the reader
/// knows where the library ends.
#define CORINTH_REGISTRY_FRAMES 12

/// A longer name is cut, with its end.
#define CORINTH_REGISTRY_NAME 32

typedef struct {
    /// The address; 0 if this place is free.
    uintptr_t object;
    /// When it was made, in nanoseconds of the monotonic clock.
    uint64_t since;
    /// Of an observation, the strand of the stream that it observes.
    uintptr_t subject;
    /// The same for equal frames, and hardly ever for others.
    uint64_t stack;
    uint32_t kind;
    uint32_t frame_count;
    /// As its maker calls it; empty if that says nothing.
    char name[CORINTH_REGISTRY_NAME];
    /// Innermost first.
    uintptr_t frames[CORINTH_REGISTRY_FRAMES];
} ccorinth_registry_entry;

/// Turns it on or off.
void ccorinth_registry_switch(bool is_on);

/// Adds an object, with the frames of the calling functions. If there is no memory, it is missing, and counted as such.
void ccorinth_registry_add(uintptr_t object, uint32_t kind, uintptr_t subject);

/// Removes an object that may be in it. Waits while a reader looks at the objects beside it.
void ccorinth_registry_remove(uintptr_t object);

/// Names an object that is in it.
void ccorinth_registry_name(uintptr_t object, const char *_Nonnull name);

/// How many objects of a kind are in it.
uint64_t ccorinth_registry_count(uint32_t kind);

/// How many objects aren't in it, because there was no memory for them.
uint64_t ccorinth_registry_missed(void);

/// Copies the entries. Objects of some kinds are retained for the caller; those whose end has begun are left out.
///
/// - retained: A bit for each of these kinds.
/// Returns memory that the caller frees; NULL if there is none.
ccorinth_registry_entry *_Nullable ccorinth_registry_copy(uint32_t retained, size_t *_Nonnull count);

#pragma GCC visibility pop

#endif
