/// Static probes, one `nop` each while nobody traces them. They stand on the slow paths, and vanish where `sys/sdt.h` is
/// not installed.
#ifndef CORINTH_PROBES_H
#define CORINTH_PROBES_H

#if defined(__linux__) && defined(__has_include)
#if __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define CORINTH_PROBE(name, subject) DTRACE_PROBE1(corinth, name, subject)
#endif
#endif

#ifndef CORINTH_PROBE
#define CORINTH_PROBE(name, subject) ((void)(subject))
#endif

/// An event that found its strand owned and was queued.
static inline void corinth_probe_contended(const void *_Nonnull strand) { CORINTH_PROBE(contended, strand); }
/// An owner that has helped enough and hands the strand to a worker.
static inline void corinth_probe_handover(const void *_Nonnull strand) { CORINTH_PROBE(handover, strand); }
/// A sender that waits for room in a full inbox.
static inline void corinth_probe_wait(const void *_Nonnull strand) { CORINTH_PROBE(wait, strand); }
/// A mailbox that schedules a drain.
static inline void corinth_probe_wake(const void *_Nonnull mailbox) { CORINTH_PROBE(wake, mailbox); }

#endif
