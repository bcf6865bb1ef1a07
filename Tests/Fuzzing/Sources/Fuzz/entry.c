// The functions that libFuzzer calls. Its own main function parses the arguments.

#include <stddef.h>
#include <stdint.h>

// In Swift.
extern void corinth_fuzz_prepare(void);
extern void corinth_fuzz(const uint8_t *bytes, size_t count);

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    corinth_fuzz_prepare();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    corinth_fuzz(bytes, count);
    return 0;
}
