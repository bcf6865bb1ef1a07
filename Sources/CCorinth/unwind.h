/// Follows the calls of a thread that is blocked, or was interrupted, by its registers and a copy of its stack.
#ifndef CORINTH_UNWIND_H
#define CORINTH_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uintptr_t pc, sp, fp;
    /// The system tells of a blocked thread only where it is and where its stack ends.
    bool knows_fp;
    /// What lies from `sp` on.
    const unsigned char *stack;
    size_t size;
} ccorinth_registers;

/// Writes the address of the instruction and the return addresses, innermost first, and returns their number.
size_t ccorinth_unwind(ccorinth_registers registers, uintptr_t *frames, size_t most);

#endif
