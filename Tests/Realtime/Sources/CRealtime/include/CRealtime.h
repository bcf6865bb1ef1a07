/// The interface of RealtimeSanitizer's runtime, for programs that weren't built by a sanitizing compiler.
#ifndef CREALTIME_H
#define CREALTIME_H

/// Initialises the runtime, so that no initialisation happens in the checked code.
void __rtsan_ensure_initialized(void);
/// From here on, the sanitizer reports if this thread allocates, locks, or calls a function that may block.
void __rtsan_realtime_enter(void);
/// Ends the checked code of this thread.
void __rtsan_realtime_exit(void);

#endif
