/// The interface of RealtimeSanitizer's runtime, for programs that no sanitizing compiler has built.
#ifndef CREALTIME_H
#define CREALTIME_H

/// Sets the runtime up, so that nothing has to be set up later, when it counts.
void __rtsan_ensure_initialized(void);
/// From here on, this thread may allocate nothing, lock nothing and call nothing that may block.
void __rtsan_realtime_enter(void);
/// From here on, it may again.
void __rtsan_realtime_exit(void);

#endif
