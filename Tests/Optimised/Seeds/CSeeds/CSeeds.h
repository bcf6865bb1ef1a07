// What the library's own C header must not have. Tests/optimised must find each of these in a client that has inlined it.
#include <stdint.h>

extern void *_Nonnull swift_nonatomic_retain(void *_Nonnull object);
extern void *_Nonnull swift_retain_n(void *_Nonnull object, uint32_t count);

/// A retain without an atomic operation, visible to Swift's optimiser.
static inline void seed_retain_unshared(void *_Nonnull object) {
    __asm__("" : "+r"(object));
    swift_nonatomic_retain(object);
}

/// A function of the runtime that only the optimiser itself calls.
static inline void seed_retain_twice(void *_Nonnull object) { swift_retain_n(object, 2); }

/// A store that publishes what was written before, without the barrier that keeps a retain in front of it.
static inline void seed_publish(uint64_t *_Nonnull word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

/// The same, and then memory is cleared, over which a retain moves, too.
static inline void seed_publish_and_clear(uint64_t *_Nonnull word, uint64_t value, void *_Nonnull memory) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    __builtin_memset(memory, 0, 4096);
}
