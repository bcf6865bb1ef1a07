// What the scenarios need from C. Nothing here takes or returns a pointer, so that Swift needs no `unsafe`.
#ifndef SCENARIO_SUPPORT_H
#define SCENARIO_SUPPORT_H

#include <stdint.h>

/// Tells the processor that this is a spin loop.
static inline void scenario_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
    __asm__ volatile("yield");
#endif
}

/// Declares that the calling thread sends as `sender` (0 and up), and resets its count.
void scenario_sending_begin(int64_t sender);

/// Counts a delivery of an event of `sender` on the calling thread, if the thread sends as another sender.
void scenario_sending_delivered(int64_t sender);

/// How many events of other senders the calling thread has delivered since `scenario_sending_begin`.
uint64_t scenario_sending_foreign(void);

/// Declares that the calling thread sends no more. Its later deliveries aren't counted.
void scenario_sending_end(void);

/// At most so many neighbours.
enum { SCENARIO_MOST_NEIGHBOURS = 16 };

/// Starts processes that sleep until they are to be busy. They end with this process, whatever ends it, or with the thread that
/// has started them. Not thread-safe, as are the functions below.
///
/// Returns 0, or an error number: EINVAL if there are neighbours already or `wanted` isn't 1 to 16; ENOSYS except on Linux.
int32_t scenario_neighbours_start(int32_t wanted);

/// Lets the neighbours spin, or sleep.
void scenario_neighbours_set_busy(int32_t isBusy);

/// Ends the neighbours, and waits for their end.
void scenario_neighbours_end(void);

/// How far neighbour `index` (0 and up) has counted while it was busy; 0 if there is none.
uint64_t scenario_neighbours_rounds(int32_t index);

/// The process of neighbour `index`; 0 if there is none.
int32_t scenario_neighbours_process(int32_t index);

#endif
