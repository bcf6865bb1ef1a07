#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A hash table with linear probing in each of 64 parts (Knuth, The Art of Computer Programming 3, 6.4, algorithms L and R), so that
// threads that make objects rarely meet. Only what is on pays for it, so a mutex is enough.

#define PARTS 64
#define KINDS 16

typedef struct {
    _Alignas(128) pthread_mutex_t mutex;
    ccorinth_registry_entry *entries;
    /// A power of two, or 0.
    uint64_t capacity;
    uint64_t used;
    uint64_t counts[KINDS];
} part;

_Atomic(uint32_t) ccorinth_registry_state = 0;

static part ccorinth_registry_parts[PARTS] = {[0 ... PARTS - 1] = {.mutex = PTHREAD_MUTEX_INITIALIZER}};
static _Atomic(uint64_t) missed = 0;

/// A debugger looks for this name.
__attribute__((visibility("hidden"))) ccorinth_layout ccorinth_registry_layout = {
    .version = CORINTH_LAYOUT,
    .parts = (uintptr_t)ccorinth_registry_parts,
    .missed = (uintptr_t)&missed,
    .state = (uintptr_t)&ccorinth_registry_state,
    .part_count = PARTS,
    .part_size = sizeof(part),
    .part_entries = offsetof(part, entries),
    .part_capacity = offsetof(part, capacity),
    .entry_size = sizeof(ccorinth_registry_entry),
    .object = offsetof(ccorinth_registry_entry, object),
    .since = offsetof(ccorinth_registry_entry, since),
    .subject = offsetof(ccorinth_registry_entry, subject),
    .queue = offsetof(ccorinth_registry_entry, queue),
    .stack = offsetof(ccorinth_registry_entry, stack),
    .kind = offsetof(ccorinth_registry_entry, kind),
    .frame_count = offsetof(ccorinth_registry_entry, frame_count),
    .name = offsetof(ccorinth_registry_entry, name),
    .frames = offsetof(ccorinth_registry_entry, frames),
    .owned = offsetof(ccorinth_thread_state, owned),
    .strands = CORINTH_STRANDS,
};

ccorinth_layout ccorinth_known_layout(void) { return ccorinth_registry_layout; }

/// Completes the layout, once. Swift makes an object of each kind for that, some of which come here again.
static void describe_objects(void) {
    static _Atomic(bool) begun = false;
    if (atomic_load_explicit(&begun, memory_order_relaxed)) { return; }
    if (atomic_exchange_explicit(&begun, true, memory_order_relaxed) || ccorinth_describe_objects == NULL) { return; }
    ccorinth_layout layout = ccorinth_registry_layout;
    ccorinth_describe_objects(&layout);
    ccorinth_registry_layout = layout;
}

// The upper bits choose the part, the lower ones of the rest the place in it.
static uint64_t hash(uintptr_t object) { return ((uint64_t)object >> 4) * 0x9E3779B97F4A7C15u; }

static part *part_of(uint64_t hash) { return &ccorinth_registry_parts[hash >> 58]; }

static uint64_t home(const part *part, uintptr_t object) { return (hash(object) >> 20) & (part->capacity - 1); }

/// The place of an object, or the free one where it belongs.
static ccorinth_registry_entry *place(const part *part, uintptr_t object) {
    uint64_t index = home(part, object);
    while (part->entries[index].object != 0 && part->entries[index].object != object) {
        index = (index + 1) & (part->capacity - 1);
    }
    return &part->entries[index];
}

/// Doubles the memory if it is half full. False if there is none.
static bool make_room(part *part) {
    if (part->used * 2 < part->capacity) { return true; }
    uint64_t capacity = part->capacity == 0 ? 16 : part->capacity * 2;
    ccorinth_registry_entry *entries = calloc(capacity, sizeof *entries);
    if (entries == NULL) { return false; }
    ccorinth_registry_entry *old = part->entries;
    uint64_t count = part->capacity;
    part->entries = entries;
    part->capacity = capacity;
    for (uint64_t index = 0; index < count; index++) {
        if (old[index].object != 0) { *place(part, old[index].object) = old[index]; }
    }
    free(old);
    return true;
}

typedef struct {
    uintptr_t lowest, end;
} stack;

/// The calling thread's stack; empty if that is unknown.
static stack own_stack(void) {
    static _Thread_local stack known;
    if (known.end != 0) { return known; }
#if defined(__APPLE__)
    known.end = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
    known.lowest = known.end - pthread_get_stacksize_np(pthread_self());
#else
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *lowest = NULL;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
        known = (stack){.lowest = (uintptr_t)lowest, .end = (uintptr_t)lowest + size};
    }
#endif
    return known;
}

/// Follows the frame pointers. Code without them may have left anything in their register, so only addresses on this thread's stack
/// are read, from the inside to the outside. On a stack of another kind, none is.
static __attribute__((noinline)) uint32_t take_frames(uintptr_t *frames) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    stack stack = own_stack();
    uint32_t count = 0, skipped = 0;
    while (frame % sizeof(uintptr_t) == 0 && frame >= stack.lowest && frame + 2 * sizeof(uintptr_t) <= stack.end) {
        const uintptr_t *record = (const uintptr_t *)frame;
        // The first one returns to this file.
        if (skipped == 0) { skipped = 1; } else if (record[1] != 0) { frames[count++] = record[1]; }
        // Swift marks the frames of asynchronous functions with this bit.
        uintptr_t next = record[0] & ~((uintptr_t)1 << 60);
        if (count == CORINTH_REGISTRY_FRAMES || next <= frame) { break; }
        frame = next;
    }
    return count;
}

void ccorinth_registry_add(uintptr_t object, uint32_t kind, uintptr_t subject, uintptr_t queue) {
    describe_objects();
    ccorinth_registry_entry entry = {
        .object = object, .since = ccorinth_monotonic_time(), .kind = kind, .subject = subject, .queue = queue};
    entry.frame_count = take_frames(entry.frames);
    for (uint32_t index = 0; index < entry.frame_count; index++) { entry.stack = hash(entry.stack ^ entry.frames[index] << 4); }
    part *part = part_of(hash(object));
    pthread_mutex_lock(&part->mutex);
    if (make_room(part)) {
        *place(part, object) = entry;
        part->used += 1;
        part->counts[kind % KINDS] += 1;
    } else {
        atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&part->mutex);
}

void ccorinth_registry_remove(uintptr_t object) {
    part *part = part_of(hash(object));
    pthread_mutex_lock(&part->mutex);
    ccorinth_registry_entry *found = part->capacity == 0 ? NULL : place(part, object);
    if (found != NULL && found->object != 0) {
        part->used -= 1;
        part->counts[found->kind % KINDS] -= 1;
        // What comes behind it up to the next free place moves up, if it may stand here.
        uint64_t mask = part->capacity - 1, hole = (uint64_t)(found - part->entries), index = hole;
        while (true) {
            index = (index + 1) & mask;
            if (part->entries[index].object == 0) { break; }
            uint64_t distance = (index - home(part, part->entries[index].object)) & mask;
            if (distance >= ((index - hole) & mask)) {
                part->entries[hole] = part->entries[index];
                hole = index;
            }
        }
        part->entries[hole].object = 0;
    }
    pthread_mutex_unlock(&part->mutex);
}

void ccorinth_registry_name(uintptr_t object, const char *name) {
    part *part = part_of(hash(object));
    pthread_mutex_lock(&part->mutex);
    ccorinth_registry_entry *found = part->capacity == 0 ? NULL : place(part, object);
    if (found != NULL && found->object != 0) { snprintf(found->name, sizeof found->name, "%s", name); }
    pthread_mutex_unlock(&part->mutex);
}

uint64_t ccorinth_registry_count(uint32_t kind) {
    uint64_t count = 0;
    for (uint32_t index = 0; index < PARTS; index++) {
        part *part = &ccorinth_registry_parts[index];
        pthread_mutex_lock(&part->mutex);
        count += part->counts[kind % KINDS];
        pthread_mutex_unlock(&part->mutex);
    }
    return count;
}

uint64_t ccorinth_registry_missed(void) { return atomic_load_explicit(&missed, memory_order_relaxed); }

ccorinth_registry_entry *ccorinth_registry_copy(uint32_t retained, size_t *count) {
    ccorinth_registry_entry *copy = NULL;
    size_t size = 0;
    *count = 0;
    for (uint32_t index = 0; index < PARTS; index++) {
        part *part = &ccorinth_registry_parts[index];
        pthread_mutex_lock(&part->mutex);
        if (*count + part->used > size) {
            // The other parts are about as full.
            size = *count + part->used * (PARTS - index);
            ccorinth_registry_entry *larger = realloc(copy, size * sizeof *copy);
            if (larger == NULL) {
                pthread_mutex_unlock(&part->mutex);
                return copy;
            }
            copy = larger;
        }
        for (uint64_t place = 0; place < part->capacity; place++) {
            const ccorinth_registry_entry *entry = &part->entries[place];
            if (entry->object == 0) { continue; }
            if ((retained >> entry->kind & 1) != 0 && !ccorinth_try_retain((void *)entry->object)) { continue; }
            copy[(*count)++] = *entry;
        }
        pthread_mutex_unlock(&part->mutex);
    }
    return copy;
}

/// A thread that makes an object during a fork leaves the child a locked mutex, and a table in the middle of a change. So the child
/// begins with empty tables: what the parent made doesn't appear there.
static void begin_child(void) {
    for (uint32_t index = 0; index < PARTS; index++) {
        ccorinth_registry_parts[index] = (part){.mutex = PTHREAD_MUTEX_INITIALIZER};
    }
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, begin_child); }

void ccorinth_registry_switch(bool is_on) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (is_on) { pthread_once(&once, watch_forks); }
    uint32_t never = 0;
    if (is_on) {
        atomic_store_explicit(&ccorinth_registry_state, 1, memory_order_relaxed);
    } else if (!atomic_compare_exchange_strong_explicit(
                   &ccorinth_registry_state, &never, 0, memory_order_relaxed, memory_order_relaxed)) {
        atomic_store_explicit(&ccorinth_registry_state, 2, memory_order_relaxed);
    }
}

#if defined(DEBUG)
/// In debug builds it is on from the beginning, since ``LiveObjects`` counts what is in it.
__attribute__((constructor)) static void begin(void) { ccorinth_registry_switch(true); }
#endif
