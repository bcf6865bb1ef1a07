/// Static probes in the format of SystemTap, which perf, gdb and bpftrace also support. Each probe is one `nop`. A note in
/// the executable holds its address and the register of the subject. An untraced probe loads and calls nothing.
///
/// Written out instead of included from `sys/sdt.h`, which is seldom installed and lets the compiler spill the subject to the
/// stack. Here the subject is in a register that the surrounding code needs anyway.
#ifndef CORINTH_PROBES_H
#define CORINTH_PROBES_H

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(CORINTH_NO_PROBES)
#define CORINTH_HAS_PROBES 1

// The note: the sizes of its name and its contents, and its type; the name; the addresses of the `nop`, of an anchor for
// tools that correct addresses, and of a semaphore (0: none); provider, probe and argument, 8 bytes unsigned. "?" puts it
// into the section group of the function, so that both are kept or discarded.
#define CORINTH_PROBE(name, subject)                                                                           \
    __asm__ volatile("990: nop\n"                                                                              \
                     ".pushsection .note.stapsdt, \"?\", %%note\n"                                             \
                     ".balign 4\n"                                                                             \
                     ".4byte 992f - 991f, 994f - 993f, 3\n"                                                    \
                     "991: .asciz \"stapsdt\"\n"                                                               \
                     "992: .balign 4\n"                                                                        \
                     "993: .8byte 990b, _.stapsdt.base, 0\n"                                                   \
                     ".asciz \"corinth\"\n"                                                                    \
                     ".asciz \"" #name "\"\n"                                                                  \
                     ".asciz \"8@%0\"\n"                                                                       \
                     "994: .balign 4\n"                                                                        \
                     ".popsection\n"                                                                           \
                     ".ifndef _.stapsdt.base\n"                                                                \
                     ".pushsection .stapsdt.base, \"aGR\", %%progbits, .stapsdt.base, comdat\n"                \
                     ".weak _.stapsdt.base\n"                                                                  \
                     ".hidden _.stapsdt.base\n"                                                                \
                     "_.stapsdt.base: .space 1\n"                                                              \
                     ".size _.stapsdt.base, 1\n"                                                               \
                     ".popsection\n"                                                                           \
                     ".endif\n" ::"r"(subject))
#else
#define CORINTH_HAS_PROBES 0
#define CORINTH_PROBE(name, subject) ((void)(subject))
#endif

#define CORINTH_DEFINE_PROBE(name)                                                                             \
    static inline __attribute__((always_inline)) void ccorinth_probe_##name(const void *_Nonnull subject) {     \
        CORINTH_PROBE(name, subject);                                                                          \
    }

CORINTH_DEFINE_PROBE(send)
CORINTH_DEFINE_PROBE(contended)
CORINTH_DEFINE_PROBE(handover)
CORINTH_DEFINE_PROBE(wait)
CORINTH_DEFINE_PROBE(hop)
CORINTH_DEFINE_PROBE(wake)
CORINTH_DEFINE_PROBE(drop)
CORINTH_DEFINE_PROBE(stall)
CORINTH_DEFINE_PROBE(adopt)
CORINTH_DEFINE_PROBE(beyond)

// Of CorinthNATS.
CORINTH_DEFINE_PROBE(publish)
CORINTH_DEFINE_PROBE(deliver)
CORINTH_DEFINE_PROBE(ack)

#endif
