/// C11 atomics for Swift: one function for each operation and ordering, because a non-constant ordering is compiled as the
/// strongest one. Only `AtomicWord` on the Swift side calls them.
///
/// A compare-exchange returns what it saw and whether it won *by value*. A parameter `uint64_t *expected` would put a stack
/// slot, and with it a stack protector, into every caller.
#ifndef CORINTH_ATOMICS_H
#define CORINTH_ATOMICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CORINTH_INLINE static inline __attribute__((always_inline))

typedef struct {
    uint64_t seen;
    bool won;
} ccorinth_exchange_result;

#define CORINTH_LOAD(order)                                                                                    \
    CORINTH_INLINE uint64_t ccorinth_load_##order(const uint64_t *_Nonnull word) {                              \
        return atomic_load_explicit((const _Atomic(uint64_t) *)word, memory_order_##order);                    \
    }
CORINTH_LOAD(relaxed)
CORINTH_LOAD(acquire)
CORINTH_LOAD(seq_cst)

/// Before each store that publishes. Swift's optimiser knows that a store releases no object, and moves a retain from before the
/// store to behind it, also if it is atomic: then the thread that finds the object may release it before it has been retained.
/// The optimiser moves no retain past this, which is no instruction.
CORINTH_INLINE void ccorinth_keep_retains(void) { __asm__ volatile("" ::: "memory"); }

#define CORINTH_STORE(order)                                                                                   \
    CORINTH_INLINE void ccorinth_store_##order(uint64_t *_Nonnull word, uint64_t value) {                       \
        if (memory_order_##order != memory_order_relaxed) { ccorinth_keep_retains(); }                          \
        atomic_store_explicit((_Atomic(uint64_t) *)word, value, memory_order_##order);                         \
    }
CORINTH_STORE(relaxed)
CORINTH_STORE(release)
CORINTH_STORE(seq_cst)

#define CORINTH_UPDATE(order, failure)                                                                         \
    CORINTH_INLINE uint64_t ccorinth_exchange_##order(uint64_t *_Nonnull word, uint64_t value) {                \
        return atomic_exchange_explicit((_Atomic(uint64_t) *)word, value, memory_order_##order);               \
    }                                                                                                          \
    CORINTH_INLINE uint64_t ccorinth_fetch_add_##order(uint64_t *_Nonnull word, uint64_t value) {               \
        return atomic_fetch_add_explicit((_Atomic(uint64_t) *)word, value, memory_order_##order);              \
    }                                                                                                          \
    CORINTH_INLINE ccorinth_exchange_result ccorinth_compare_exchange_##order(                                   \
        uint64_t *_Nonnull word, uint64_t expected, uint64_t desired) {                                        \
        bool won = atomic_compare_exchange_strong_explicit(                                                    \
            (_Atomic(uint64_t) *)word, &expected, desired, memory_order_##order, memory_order_##failure);      \
        return (ccorinth_exchange_result){.seen = expected, .won = won};                                        \
    }
CORINTH_UPDATE(relaxed, relaxed)
CORINTH_UPDATE(acquire, acquire)
CORINTH_UPDATE(release, relaxed)
CORINTH_UPDATE(acq_rel, acquire)
CORINTH_UPDATE(seq_cst, seq_cst)

CORINTH_INLINE uint8_t ccorinth_load_byte_relaxed(const uint8_t *_Nonnull byte) {
    return atomic_load_explicit((const _Atomic(uint8_t) *)byte, memory_order_relaxed);
}
CORINTH_INLINE uint8_t ccorinth_load_byte_acquire(const uint8_t *_Nonnull byte) {
    return atomic_load_explicit((const _Atomic(uint8_t) *)byte, memory_order_acquire);
}
CORINTH_INLINE void ccorinth_store_byte_relaxed(uint8_t *_Nonnull byte, uint8_t value) {
    atomic_store_explicit((_Atomic(uint8_t) *)byte, value, memory_order_relaxed);
}
CORINTH_INLINE void ccorinth_store_byte_release(uint8_t *_Nonnull byte, uint8_t value) {
    ccorinth_keep_retains();
    atomic_store_explicit((_Atomic(uint8_t) *)byte, value, memory_order_release);
}

/// Tells the processor that this is a spin loop.
CORINTH_INLINE void ccorinth_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}

/// Prefetches the cache line of an address for a write. A hint: it never waits, and every address is valid.
CORINTH_INLINE void ccorinth_prefetch_for_write(const void *_Nonnull address) {
#if defined(__x86_64__)
    // The compiler uses `prefetchw` only if told that it exists. A processor without it ignores it.
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
    __builtin_prefetch(address, 1);
#endif
}

#endif
