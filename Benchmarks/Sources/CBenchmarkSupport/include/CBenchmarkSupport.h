// What the runner needs from C: the clock, the allocator's counters, the kernel's counters, and values that
// the optimiser can't see through. Nothing here takes or returns a pointer, so that Swift needs no `unsafe`.
#ifndef CORINTH_BENCHMARK_SUPPORT_H
#define CORINTH_BENCHMARK_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

/// A count that may not be had on this machine.
typedef struct bench_count {
    uint64_t value;
    bool available;
} bench_count;

/// Returns `value`, which the optimiser then knows nothing about.
static inline int64_t bench_opaque(int64_t value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}

/// Tells the processor that this is a spin loop.
static inline void bench_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}

/// Monotonic time in nanoseconds.
uint64_t bench_nanoseconds(void);

/// Processor time of the calling thread in nanoseconds: what others take from it doesn't count.
uint64_t bench_thread_nanoseconds(void);

/// Burns CPU for a fixed number of rounds: a fixed amount of work, however often the thread is preempted.
void bench_spin(uint64_t rounds);

/// Allocation requests of the whole process so far, all threads and all sizes.
///
/// Exact for the calling thread. For others it is exact when their caches are off (`MALLOC_CONF=tcache:false`);
/// otherwise what they asked of their caches since the last refill is missing.
bench_count bench_allocation_requests(void);

/// Bytes asked for so far, rounded up to jemalloc's size classes; exact where `bench_allocation_requests` is.
bench_count bench_requested_bytes(void);

/// Bytes of the whole process that are allocated now, rounded up to the allocator's size classes.
bench_count bench_allocated_bytes(void);

/// Allocates and frees `count` blocks of `size` bytes, none of which the optimiser removes.
void bench_allocate(uint64_t count, uint64_t size);

/// Voluntary and involuntary context switches of the process so far.
bench_count bench_context_switches(void);

/// Page faults of the process so far, with and without input and output.
bench_count bench_page_faults(void);

/// What hardware can count. The order is that of `bench_hardware_open`'s descriptors.
enum bench_hardware { bench_instructions = 0, bench_cycles = 1, bench_cache_misses = 2, bench_hardware_kinds = 3 };

/// Starts counting in user space, on this thread and on those that it starts from now on. Called once, early.
void bench_hardware_open(void);

/// The count so far, scaled up where the counter was shared; unavailable if the kernel or the machine has none.
bench_count bench_hardware_read(int kind);

/// Starts counting system calls on this thread and on those that it starts from now on, if the kernel lets it and is
/// seen to count right. Called once, early, and not where time is measured: a call that is counted takes longer.
void bench_system_calls_open(void);

/// System calls since `bench_system_calls_open`, without those that ask for this.
bench_count bench_system_calls(void);

/// Keeps the calling thread on core `core` (from 0, of those that the process may use, in a circle); false if it can't.
bool bench_pin_thread(uint32_t core);

/// Starts a thread that runs `body`, with a stack of `stack_bytes`, or of the usual size if that is 0; false if the system
/// doesn't. It must be joined.
bool bench_thread_start(
    const char *name, int64_t stack_bytes, void (*body)(void *), void *context, uintptr_t *thread);

/// Waits until a thread is gone.
void bench_thread_join(uintptr_t thread);

/// Whether the process runs under Valgrind.
bool bench_under_valgrind(void);

/// Callgrind starts to count. Does nothing elsewhere.
void bench_callgrind_start(void);

/// Callgrind counts from 0 again. Does nothing elsewhere.
void bench_callgrind_zero(void);

/// Callgrind writes what it counted since the last time into a file of its own. Does nothing elsewhere.
void bench_callgrind_dump(void);

/// Takes and gives up a reference `times` times, as compiled Swift does: to nothing, which Swift's runtime lets pass.
void bench_retain_release(uint64_t times);

/// A mutex for the plain equivalents of contended scenarios. One for the process: they run one at a time.
void bench_lock(void);
void bench_unlock(void);

/// Says which sender the calling thread is (0 and up) and starts counting anew.
void bench_sending_begin(int64_t sender);

/// Counts a delivery, on the calling thread, of an event of `sender`; it counts if the thread is another sender.
void bench_sending_delivered(int64_t sender);

/// How many events of other senders the calling thread delivered since `bench_sending_begin`.
uint64_t bench_sending_foreign(void);

/// The calling thread sends no more; what it delivers is not counted.
void bench_sending_end(void);

/// Asks the kernel to end this process when its parent ends, however it ends. Does nothing where it can't.
void bench_end_with_parent(void);

/// Waits until `descriptor` can be read (1), `milliseconds` have passed (0), or it can't be waited for (-1).
int bench_wait_readable(int descriptor, int milliseconds);

/// Writes to a pipe whose reader is gone return an error instead of ending the process.
void bench_ignore_broken_pipes(void);

/// Ends process `process` at once.
void bench_kill(int process);

#endif
