/// What the tests need that Swift can't do: counts of allocations, and a pool of one thread for all tasks.
#ifndef CTESTSUPPORT_H
#define CTESTSUPPORT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this process counts allocations: with the GNU C library, and without a sanitizer that replaces the allocator.
bool test_counts_allocations(void);

/// How many blocks of memory the calling thread has allocated.
uint64_t test_allocations(void);

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

#endif
