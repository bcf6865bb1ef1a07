#include "CReactiveSwift.h"
#include "CCorinth.h"

// Programs that were written for ReactiveSwift post their own blocks to the main queue, and expect them between the values that
// they have sent before and after. Corinth alone delivers the values of a burst together.
__attribute__((constructor)) static void keep_main_order(void) { ccorinth_keep_main_order(); }
