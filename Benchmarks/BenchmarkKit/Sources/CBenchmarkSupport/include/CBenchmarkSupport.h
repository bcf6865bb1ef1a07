// The parts of BenchmarkKit that need C: the clock, the allocator's and the kernel's counters, threads, and values that are
// opaque to the optimiser. Only threads take pointers, so the rest needs no `unsafe` in Swift.
#ifndef BENCHMARK_SUPPORT_H
#define BENCHMARK_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

/// A count that may be unavailable on this machine.
typedef struct bench_count {
    uint64_t value;
    bool available;
} bench_count;

/// Returns `value`, about which the optimiser then knows nothing.
static inline int64_t bench_opaque(int64_t value) {
    __asm__ volatile("" : "+r"(value));
    return value;
}

/// Monotonic time in nanoseconds.
uint64_t bench_nanoseconds(void);

/// Processor time of the calling thread in nanoseconds. Time without the processor doesn't count.
uint64_t bench_thread_nanoseconds(void);

/// Processor time of all threads of the process in nanoseconds.
uint64_t bench_process_nanoseconds(void);

/// Spins for a fixed number of rounds: a fixed amount of work, however often the thread is preempted.
void bench_spin(uint64_t rounds);

/// Executes `rounds` rounds of eight independent additions. They use all of a core, so this takes longer if another hardware
/// thread of the core is busy, which `bench_spin` hardly shows.
void bench_saturate(uint64_t rounds);

/// Allocation requests of the whole process so far, all threads and all sizes.
///
/// Exact for the calling thread. Exact for other threads only if they have no caches (`MALLOC_CONF=tcache:false`). Otherwise
/// the requests to their caches since the last refill are missing.
bench_count bench_allocation_requests(void);

/// Whether jemalloc is this process's allocator.
bool bench_has_jemalloc(void);

/// Bytes requested so far, rounded up to jemalloc's size classes; as exact as `bench_allocation_requests`.
bench_count bench_requested_bytes(void);

/// Bytes of the process that are allocated now, rounded up to the allocator's size classes.
bench_count bench_allocated_bytes(void);

/// Allocates and frees `count` blocks of `size` bytes. The optimiser removes none of them.
void bench_allocate(uint64_t count, uint64_t size);

/// Voluntary and involuntary context switches of the process so far.
bench_count bench_context_switches(void);

/// Involuntary context switches of the process so far: the kernel gave the processor to another thread.
bench_count bench_involuntary_switches(void);

/// Page faults of the process so far, with and without input and output.
bench_count bench_page_faults(void);

/// The hardware counters, in the order of `bench_hardware_open`'s descriptors.
enum bench_hardware { bench_instructions = 0, bench_cycles = 1, bench_cache_misses = 2, bench_hardware_kinds = 3 };

/// Starts counting in user space, on the calling thread and on threads that it starts later. Call it once, early.
void bench_hardware_open(void);

/// The count so far, scaled up if the counter was multiplexed; unavailable if the kernel or the machine has no counter.
bench_count bench_hardware_read(int kind);

/// Starts counting system calls on the calling thread and on threads that it starts later, if the kernel allows it and passes
/// a self-test. Call it once, early, in a process that times nothing: counting makes each call slower.
void bench_system_calls_open(void);

/// System calls since `bench_system_calls_open`, without those of this function.
bench_count bench_system_calls(void);

/// Pins the calling thread to core `core` modulo the number of cores of the process; returns false if it can't.
bool bench_pin_thread(uint32_t core);

/// Starts a thread that runs `body`, with a stack of `stack_bytes`, or of the default size if that is 0. Returns false if the
/// system can't start it. The thread must be joined.
bool bench_thread_start(
    const char *name, int64_t stack_bytes, void (*body)(void *), void *context, uintptr_t *thread);

/// Waits until a thread has ended.
void bench_thread_join(uintptr_t thread);

/// Whether the process runs under Valgrind.
bool bench_under_valgrind(void);

/// Makes Callgrind start to count. Does nothing elsewhere.
void bench_callgrind_start(void);

/// Resets Callgrind's counts to 0. Does nothing elsewhere.
void bench_callgrind_zero(void);

/// Makes Callgrind count no more on this thread, or count again. Does nothing elsewhere.
void bench_callgrind_toggle(void);

/// Makes Callgrind write the counts since the last call to a separate file. Does nothing elsewhere.
void bench_callgrind_dump(void);

/// Calls the runtime's retain and release `times` times, with a null reference, which the runtime allows.
void bench_retain_release(uint64_t times);

/// Executes an atomic addition `times` times.
void bench_locked_instructions(uint64_t times);

/// A mutex for the direct sides of contended scenarios. The process has one, because scenarios run one at a time.
void bench_lock(void);
void bench_unlock(void);

/// Makes the kernel end this process when its parent ends. Does nothing if the system can't.
void bench_end_with_parent(void);

/// Waits until `descriptor` can be read (1), `milliseconds` have passed (0), or waiting fails (-1).
int bench_wait_readable(int descriptor, int milliseconds);

/// Makes writes to a pipe without a reader return an error instead of ending the process.
void bench_ignore_broken_pipes(void);

/// The columns of the terminal behind `descriptor`: 0 if it doesn't say, -1 if it is no terminal.
int bench_terminal_columns(int descriptor);

/// Locks the file at `path`, until the process ends, and writes the process's number to it. Returns 0; the number of the
/// process that has locked it; or -1 if the file can't be created.
int bench_lock_file(const char *path);

/// Writes what standard output still has. Returns 0 or an error number, also of an earlier write.
int bench_flush_output(void);

/// Ends this process by signal `number`, as if it had no handler, so that a shell knows why it ended.
void bench_end_by_signal(int number);

/// Kills process `process`.
void bench_kill(int process);

#endif
