#include "CTestSupport.h"

#include <ccorinth_barriers.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#if defined(__x86_64__)
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

// Each on a cache line of its own, or two.
typedef struct {
    _Alignas(128) _Atomic uint64_t begun;
    _Alignas(128) _Atomic uint64_t ended;
    _Alignas(128) _Atomic uint64_t heavy;
    _Alignas(128) _Atomic uint64_t light;
    _Alignas(128) uint64_t rounds, seen;
    // Both threads write to these, so that a later store stays in the processor's buffer while they come.
    struct {
        _Alignas(128) _Atomic uint64_t word;
    } shared[8];
} state_t;

static inline __attribute__((always_inline)) void delay_stores(state_t *state, uint64_t round) {
    for (int index = 0; index < 8; index += 1) {
        atomic_store_explicit(&state->shared[index].word, round, memory_order_relaxed);
    }
}

static void await(_Atomic uint64_t *word, uint64_t value) {
    for (int spins = 0; atomic_load_explicit(word, memory_order_acquire) != value; spins += 1) {
        // On one processor, the other thread can't go on meanwhile.
        if (spins % 1024 == 1023) { sched_yield(); }
        PAUSE();
    }
}

static void *lightSide(void *context) {
    state_t *state = context;
    for (uint64_t round = 1; round <= state->rounds; round += 1) {
        await(&state->begun, round);
        delay_stores(state, round);
        atomic_store_explicit(&state->light, round, memory_order_relaxed);
        ccorinth_light_barrier();
        state->seen = atomic_load_explicit(&state->heavy, memory_order_relaxed);
        atomic_store_explicit(&state->ended, round, memory_order_release);
    }
    return NULL;
}

uint64_t test_missed_stores(uint64_t rounds) {
    static state_t state;
    pthread_t thread;
    uint64_t missed = 0;
    state = (state_t){.rounds = rounds};
    if (pthread_create(&thread, NULL, lightSide, &state) != 0) { return UINT64_MAX; }
    for (uint64_t round = 1; round <= rounds; round += 1) {
        atomic_store_explicit(&state.begun, round, memory_order_release);
        // The other thread needs some time until it sees that the round has begun.
        for (uint64_t step = 0; step < round % 64; step += 1) { PAUSE(); }
        delay_stores(&state, round);
        atomic_store_explicit(&state.heavy, round, memory_order_relaxed);
        ccorinth_heavy_barrier();
        uint64_t seen = atomic_load_explicit(&state.light, memory_order_relaxed);
        await(&state.ended, round);
        if (seen != round && state.seen != round) { missed += 1; }
    }
    pthread_join(thread, NULL);
    return missed;
}

void test_make_barriers_symmetric(void) { ccorinth_barriers_are_asymmetric = false; }
