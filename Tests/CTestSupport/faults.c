#include "CTestSupport.h"

int32_t test_read(const void *bytes) { return *(const int32_t *)bytes; }
