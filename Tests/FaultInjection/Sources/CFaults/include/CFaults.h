/// Faults for a process: threads that a signal stops, an allocator that fails, a clock that is set. Linux only.
#ifndef CORINTH_FAULTS_H
#define CORINTH_FAULTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef void (*faults_body)(void *_Nullable);

/// A signal stops the thread wherever it is, but not inside the allocator, whose lock others would wait for. Returns when the
/// thread has stopped; false if it wasn't stopped, because it has been inside the allocator for long.
bool faults_stop(pthread_t thread);

/// The thread that was stopped goes on.
void faults_resume(void);

/// A signal interrupts the thread wherever it is, and calls the body on it. Returns when that has returned; false if it wasn't
/// called, because the thread was inside the allocator.
bool faults_interrupt(pthread_t thread, faults_body _Nonnull body, void *_Nullable argument);

/// From now on, each allocation of the process fails, or none does.
void faults_set_allocations_fail(bool fail);

/// How many allocations have failed.
uint64_t faults_failed_allocations(void);

/// Begins to count the bytes that are allocated and not freed.
void faults_begin_counting(void);

/// How many more bytes are allocated than when the counting began, and the most that there were.
int64_t faults_live_bytes(void);
int64_t faults_most_bytes(void);

/// How many bytes have been allocated while counting, freed or not.
uint64_t faults_allocated_bytes(void);

/// How often the calling thread has given up its processor in order to wait.
int64_t faults_context_switches(void);

/// Sets the time of day, as the process sees it, forward or back. The monotonic clock goes on.
void faults_set_clock(int64_t seconds);

/// Allows the process this much more memory than it has now, in bytes of its address space. Later threads, those of Dispatch,
/// have stacks of 256 KiB. False if the system refuses.
bool faults_limit_memory(uint64_t bytes);

/// Starts a thread with a stack of this size, in bytes. False if there can't be another one.
bool faults_start_thread(uint64_t stack, faults_body _Nonnull body, void *_Nullable argument, pthread_t *_Nonnull thread);

/// Lets the calling thread have this niceness.
bool faults_be_nice(int niceness);

/// Lets the calling thread, and those that it starts, run on the first processor only.
bool faults_use_one_processor(void);

/// From now on, the system starts no thread for this process, or does again.
void faults_forbid_threads(bool forbids);

/// The threads that wait sleep until the gate is opened.
void faults_wait_at_gate(void);
void faults_open_gate(void);

/// The monotonic clock, in nanoseconds.
uint64_t faults_now(void);

#endif
