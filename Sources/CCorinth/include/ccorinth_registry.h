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
    /// Of an observation, the strand of the stream that it observes; of a hop, the strand through which it delivers.
    uintptr_t subject;
    /// Of a hop, the permits that count what is queued.
    uintptr_t queue;
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
void ccorinth_registry_add(uintptr_t object, uint32_t kind, uintptr_t subject, uintptr_t queue);

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

/// A change of `ccorinth_layout` gets a new one of these.
#define CORINTH_LAYOUT 0x436f72696e746831u

/// Where a debugger finds what it shows, without debug information: `perf/postmortem.py` reads this, in this order. Words
/// without another unit are offsets in bytes.
typedef struct {
    /// `CORINTH_LAYOUT`.
    uint64_t version;
    /// Addresses of the table, of the number of objects that aren't in it, and of the state.
    uint64_t parts, missed, state;
    /// The parts of the table: how many there are, and the size of each in bytes.
    uint64_t part_count, part_size, part_entries, part_capacity;
    /// An entry: its size in bytes, and what is in it.
    uint64_t entry_size, object, since, subject, queue, stack, kind, frame_count, name, frames;
    /// `owned` in the state of a thread, and the bits of it that count strands.
    uint64_t owned, strands;
    /// The rest is Swift's, and 0 until the first object has entered. This one is 1 then.
    uint64_t is_complete;
    /// In permits, the address of what they count in, which is 0 as long as nothing was ever queued; and what is there.
    uint64_t counters, used, progress, capacity, stalls, excesses, waiters, blocker;
    /// In the queue of waiters, how many there are.
    uint64_t waiter_count;
    /// In the mailbox of a hop that drops values.
    uint64_t dropping_capacity, dropping_posted, dropping_taken;
    /// In a strand, its word, and the bytes of which one isn't 0 while a thread is inside by its bias.
    uint64_t word, inside;
    /// In a signal: its strand, and the composite of its resources. In that, the first entry; in an entry, the next one, and
    /// what it disposes of.
    uint64_t strand, resources, first, next, contents;
    /// The class of the disposables that hold several observations; in them, the array; in the array, its count and its elements.
    uint64_t joined_class, joined, array_count, array_elements;
} ccorinth_layout;

/// What a debugger finds under the name `ccorinth_registry_layout`. Constant after the first object has entered.
ccorinth_layout ccorinth_known_layout(void);

/// Fills what is Swift's. Defined in Swift; NULL where nothing of that is linked.
extern void ccorinth_describe_objects(ccorinth_layout *_Nonnull layout) __attribute__((weak));

#pragma GCC visibility pop

#endif
