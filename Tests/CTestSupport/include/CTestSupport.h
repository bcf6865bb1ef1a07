/// What the tests need that Swift can't do: counts of allocations, a pool of one thread for all tasks, and the accesses to plain
/// memory.
#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include "audit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this process counts allocations: with the GNU C library, and without a sanitizer that replaces the allocator.
bool test_counts_allocations(void);

/// How many blocks of memory the calling thread has allocated.
uint64_t test_allocations(void);

/// How many bytes this process has allocated with the GNU C library; 0 with another one, and with a sanitizer's allocator.
size_t test_allocated_bytes(void);

/// The calling thread's next call of `calloc` returns NULL, if this process counts allocations.
void test_fail_next_calloc(void);

/// Whether this process was compiled with thread sanitizer.
bool test_has_thread_sanitizer(void);

/// How many locks a thread may hold at once under thread sanitizer.
#define TEST_MOST_LOCKS 128

/// From now on, threads may hold more locks than TEST_MOST_LOCKS, until ``test_end_many_locks()`` was called as often.
void test_begin_many_locks(void);
void test_end_many_locks(void);

#if defined(__linux__)
/// The size of the calling thread's stack; 0 if unknown.
size_t test_stack_size(void);

/// Connects to a Unix socket; -1 if it can't.
int32_t test_connect(const char *path);

/// Binds the main thread to a processor.
bool test_bind_process(int32_t processor);

/// `fork`, and whether a child exits with 0.
int32_t test_fork(void);
bool test_ends_well(int32_t process);

/// From now on, this process may not have a real-time priority.
bool test_give_up_priorities(void);
#endif

/// The sum of two numbers. If it exceeds the type, that is undefined behaviour, in code that is inlined into Swift.
static inline int32_t test_add(int32_t first, int32_t second) { return first + second; }

/// Reads a number. If the address isn't a multiple of four, that is undefined behaviour, in C code.
int32_t test_read(const void *bytes);

/// From now on, tasks that have no executor of their own run on one thread.
///
/// - Returns: false if this isn't possible on this platform.
bool test_begin_pool_of_one(void);

/// From now on, such tasks run on the usual pool.
void test_end_pool_of_one(void);

/// Whether the calling thread is the thread of that pool.
bool test_is_pool_of_one(void);

/// How many jobs of tasks that thread has run.
uint64_t test_pool_of_one_jobs(void);

/// Counts the jobs of one task on that pool, from 0 on. Those of other tests aren't counted.
void test_count_jobs(void *task);

/// How many were counted.
uint64_t test_counted_jobs(void);

/// Two accesses to the same memory, at least one of which writes, where neither comes after the other.
typedef struct {
    bool is_found;
    bool is_write;
    bool was_write;
    /// The thread of the earlier access.
    int other;
    /// Where the accesses are in the program.
    unsigned long place, earlier;
} test_conflict;

/// Whether the program was compiled so that each access to plain memory is recorded: with the trait Exploration, and with
/// `-Xswiftc -Xfrontend -Xswiftc -sanitize=thread`.
bool test_records_accesses(void);

/// Begins an execution. No earlier access counts.
void test_accesses_reset(void);

/// From now on, the calling thread's accesses to plain memory are recorded, without those to its stack and those of
/// deinitialisers.
///
/// - Parameter clock: How many steps of each thread it knows, its own included: at most 64 threads.
void test_accesses_begin(int thread, const uint32_t *clock, int threads);

/// From now on, they aren't.
void test_accesses_end(void);

/// The first conflict of this execution.
test_conflict test_accesses_conflict(void);

/// Whether there were more accesses than there is room for.
bool test_accesses_are_lost(void);

/// The name of the function at an address of the program; NULL if it isn't known.
///
/// - Parameter offset: Becomes the address in the program's file.
const char *test_function(unsigned long address, unsigned long *offset);

/// New memory: what happened in it before belongs to others.
void test_accesses_forget(void *block, size_t size);

/// Two threads store, and then load what the other one stores: one with a heavy barrier in between, the other with a light one.
///
/// - Returns: In how many of the rounds neither has seen the other's store.
uint64_t test_missed_stores(uint64_t rounds);

/// From now on, both barriers are full, as on a system without `membarrier`. Called before the process uses a barrier.
void test_make_barriers_symmetric(void);

/// A thread with a stack of so many bytes, a multiple of 16 KiB, nests calls until the stack is low.
///
/// - Returns: How many bytes are left then; −1 if there is no such thread.
ptrdiff_t test_stack_left_when_low(size_t size);

#endif
