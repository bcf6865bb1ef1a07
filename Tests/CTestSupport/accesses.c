// For pthread_getattr_np and RTLD_NEXT.
#define _GNU_SOURCE

#include "CTestSupport.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <features.h>
#endif

#if defined(EXPLORATION) && defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <pthread.h>

// The accesses to eight bytes that some thread needn't know yet. Like the shadow memory of thread sanitizer, but exact: a later
// access takes an earlier one's place only if whoever knows the later one knows the earlier one too.

typedef struct {
    uint32_t next;
    uint32_t time;
    uintptr_t place;
    uint8_t bytes;
    uint8_t thread;
    bool is_write;
} access;

typedef struct {
    uintptr_t granule;
    uint32_t execution;
    uint32_t first;
} cell;

enum { CELLS = 1 << 17, ACCESSES = 1 << 18 };

// One thread of an execution runs at a time, and what they hand over orders all of this.
static cell cells[CELLS];
static access accesses[ACCESSES];
static uint32_t used_cells, used_accesses, free_accesses, execution;
static bool is_instrumented, is_full;
static test_conflict conflict;

static _Thread_local struct {
    bool is_recording;
    int ignores;
    int thread;
    int threads;
    uint32_t clock[64];
    uintptr_t stack;
    size_t stack_size;
} current;

bool test_records_accesses(void) { return is_instrumented; }

void test_accesses_reset(void) {
    execution++;
    used_cells = used_accesses = free_accesses = 0;
    is_full = false;
    conflict.is_found = false;
}

void test_accesses_begin(int thread, const uint32_t *clock, int threads) {
    if (current.stack_size == 0) {
        pthread_attr_t attributes;
        void *stack = NULL;
        pthread_getattr_np(pthread_self(), &attributes);
        pthread_attr_getstack(&attributes, &stack, &current.stack_size);
        pthread_attr_destroy(&attributes);
        current.stack = (uintptr_t)stack;
    }
    current.thread = thread;
    if (threads > 64) abort();
    memcpy(current.clock, clock, (size_t)threads * sizeof *clock);
    current.threads = threads;
    current.is_recording = is_instrumented;
}

void test_accesses_end(void) { current.is_recording = false; }

test_conflict test_accesses_conflict(void) { return conflict; }

bool test_accesses_are_lost(void) { return is_full; }

const char *test_function(unsigned long address, unsigned long *offset) {
    Dl_info info;
    if (!dladdr((void *)address, &info)) {
        *offset = address;
        return NULL;
    }
    *offset = address - (uintptr_t)info.dli_fbase;
    return info.dli_sname;
}

static cell *find(uintptr_t granule, bool adds) {
    size_t index = (granule * 0x9E3779B97F4A7C15) >> 47;
    while (cells[index].execution == execution) {
        if (cells[index].granule == granule) return &cells[index];
        index = (index + 1) % CELLS;
    }
    if (!adds) return NULL;
    if (used_cells >= CELLS / 2) {
        is_full = true;
        return NULL;
    }
    used_cells++;
    cells[index] = (cell){.granule = granule, .execution = execution};
    return &cells[index];
}

static uint32_t take(void) {
    if (free_accesses) {
        uint32_t index = free_accesses;
        free_accesses = accesses[index].next;
        return index;
    }
    if (used_accesses + 1 >= ACCESSES) {
        is_full = true;
        return 0;
    }
    return ++used_accesses;
}

static void record_bytes(uintptr_t granule, uint8_t bytes, bool is_write, uintptr_t place) {
    cell *cell = find(granule, true);
    if (!cell) return;
    uint8_t thread = (uint8_t)current.thread;
    uint32_t now = current.thread < current.threads ? current.clock[current.thread] : 0;
    uint32_t *link = &cell->first;
    while (*link) {
        uint32_t index = *link;
        access *earlier = &accesses[index];
        bool is_mine = earlier->thread == thread;
        if (is_mine && earlier->time == now && (earlier->bytes & bytes) == bytes && earlier->is_write >= is_write) return;
        bool is_known = is_mine || (earlier->thread < current.threads && earlier->time <= current.clock[earlier->thread]);
        if (!is_known && (earlier->bytes & bytes) && (is_write || earlier->is_write) && !conflict.is_found) {
            conflict = (test_conflict){true, is_write, earlier->is_write, earlier->thread, place, earlier->place};
        }
        if (is_known && (earlier->bytes | bytes) == bytes && is_write >= earlier->is_write) {
            *link = earlier->next;
            earlier->next = free_accesses;
            free_accesses = index;
        } else {
            link = &earlier->next;
        }
    }
    uint32_t index = take();
    if (!index) return;
    accesses[index] = (access){cell->first, now, place, bytes, thread, is_write};
    cell->first = index;
}

static void record(void *address, size_t size, bool is_write, uintptr_t place) {
    if (!current.is_recording || current.ignores || size == 0) return;
    uintptr_t start = (uintptr_t)address;
    if (start - current.stack < current.stack_size) return;
    uintptr_t end = start + size;
    for (uintptr_t granule = start >> 3; granule <= (end - 1) >> 3; granule++) {
        unsigned from = granule == start >> 3 ? start & 7 : 0;
        unsigned to = granule == (end - 1) >> 3 ? (end - 1) & 7 : 7;
        record_bytes(granule, (uint8_t)((0xFF << from) & (0xFF >> (7 - to))), is_write, place);
    }
}

void test_accesses_forget(void *block, size_t size) {
    if (!current.threads || !block || used_cells == 0) return;
    uintptr_t first = (uintptr_t)block >> 3, last = ((uintptr_t)block + size) >> 3;
    if (last - first < CELLS) {
        for (uintptr_t granule = first; granule <= last; granule++) {
            cell *cell = find(granule, false);
            if (cell) cell->first = 0;
        }
    } else {
        for (size_t index = 0; index < CELLS; index++) {
            if (cells[index].execution == execution && cells[index].granule - first <= last - first) cells[index].first = 0;
        }
    }
}

// What the instrumented code calls. The compiler's frontend inserts the calls, and the library of thread sanitizer isn't linked.

#define PLACE (uintptr_t)__builtin_return_address(0)
#define ACCESS(size) \
    void __tsan_read##size(void *address) { record(address, size, false, PLACE); } \
    void __tsan_write##size(void *address) { record(address, size, true, PLACE); } \
    void __tsan_unaligned_read##size(void *address) { record(address, size, false, PLACE); } \
    void __tsan_unaligned_write##size(void *address) { record(address, size, true, PLACE); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    record((void *)from, size, false, PLACE);
    record(to, size, true, PLACE);
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size) {
    record((void *)from, size, false, PLACE);
    record(to, size, true, PLACE);
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, size_t size) {
    record(to, size, true, PLACE);
    return memset(to, value, size);
}

// Atomic operations. The explorer knows those of the library from their callers; here they are only done.
#define ATOMIC(bits) \
    uint##bits##_t __tsan_atomic##bits##_load(uint##bits##_t *a, int order) { \
        (void)order; \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST); \
    } \
    void __tsan_atomic##bits##_store(uint##bits##_t *a, uint##bits##_t value, int order) { \
        (void)order; \
        __atomic_store_n(a, value, __ATOMIC_SEQ_CST); \
    } \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val( \
        uint##bits##_t *a, uint##bits##_t expected, uint##bits##_t desired, int order, int failure) { \
        (void)order, (void)failure; \
        __atomic_compare_exchange_n(a, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return expected; \
    } \
    UPDATE(bits, exchange, exchange_n) \
    UPDATE(bits, fetch_add, fetch_add) \
    UPDATE(bits, fetch_sub, fetch_sub) \
    UPDATE(bits, fetch_and, fetch_and) \
    UPDATE(bits, fetch_or, fetch_or) \
    UPDATE(bits, fetch_xor, fetch_xor)
#define UPDATE(bits, name, builtin) \
    uint##bits##_t __tsan_atomic##bits##_##name(uint##bits##_t *a, uint##bits##_t value, int order) { \
        (void)order; \
        return __atomic_##builtin(a, value, __ATOMIC_SEQ_CST); \
    }
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

void __tsan_atomic_thread_fence(int order) { (void)order, __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int order) { (void)order, __atomic_signal_fence(__ATOMIC_SEQ_CST); }

void __tsan_init(void) { is_instrumented = true; }
void __tsan_func_entry(void *place) { (void)place; }
void __tsan_func_exit(void) {}

// Around deinitialisers: the reference counts order them, and aren't seen.
void __tsan_ignore_thread_begin(void) { current.ignores++; }
void __tsan_ignore_thread_end(void) { current.ignores--; }

// Accesses to variables of the language. Those to their memory are recorded.
void __tsan_external_read(void *address, void *caller, void *tag) { (void)address, (void)caller, (void)tag; }
void __tsan_external_write(void *address, void *caller, void *tag) { (void)address, (void)caller, (void)tag; }
void *__tsan_external_register_tag(const char *name) { return (void *)name; }

// A value that is initialised once: whoever reads it comes after that.
void swift_once(intptr_t *predicate, void (*initialise)(void *), void *context) {
    static void (*original)(intptr_t *, void (*)(void *), void *);
    if (!original) original = (void (*)(intptr_t *, void (*)(void *), void *))dlsym(RTLD_NEXT, "swift_once");
    current.ignores++;
    original(predicate, initialise, context);
    current.ignores--;
}

#else

bool test_records_accesses(void) { return false; }
void test_accesses_reset(void) {}
void test_accesses_begin(int thread, const uint32_t *clock, int threads) { (void)thread, (void)clock, (void)threads; }
void test_accesses_end(void) {}
test_conflict test_accesses_conflict(void) { return (test_conflict){.is_found = false}; }
bool test_accesses_are_lost(void) { return false; }
const char *test_function(unsigned long address, unsigned long *offset) { return *offset = address, NULL; }
void test_accesses_forget(void *block, size_t size) { (void)block, (void)size; }

#endif
