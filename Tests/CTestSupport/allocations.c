#include "CTestSupport.h"

#include <stddef.h>

#ifdef __linux__
#include <features.h>
#endif

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#include <malloc.h>

static _Thread_local uint64_t allocations;
static _Thread_local bool fails;

// The program's functions come before those of the C library, also for calls from other libraries.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *counted(void *block, size_t size) {
    allocations++;
    test_accesses_forget(block, size);
    return block;
}

void *malloc(size_t size) {
    return counted(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size) {
    if (fails) {
        fails = false;
        return NULL;
    }
    return counted(__libc_calloc(count, size), count * size);
}

void *realloc(void *block, size_t size) {
    return counted(__libc_realloc(block, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return counted(__libc_memalign(alignment, size), size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = counted(__libc_memalign(alignment, size), size);
    return *block ? 0 : 12;
}

bool test_counts_allocations(void) { return true; }
uint64_t test_allocations(void) { return allocations; }
size_t test_allocated_bytes(void) { return mallinfo2().uordblks; }
void test_fail_next_calloc(void) { fails = true; }

#else

bool test_counts_allocations(void) { return false; }
uint64_t test_allocations(void) { return 0; }
size_t test_allocated_bytes(void) { return 0; }
void test_fail_next_calloc(void) {}

#endif
