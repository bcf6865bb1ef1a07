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

#endif
