#ifndef CCORINTH_H
#define CCORINTH_H

#include "ccorinth_atomics.h"
#include "ccorinth_barriers.h"
#include "ccorinth_epoll.h"
#include "ccorinth_forks.h"
#include "ccorinth_futex.h"
#include "ccorinth_inspect.h"
#include "ccorinth_probes.h"
#include "ccorinth_references.h"
#include "ccorinth_registry.h"
#include "ccorinth_sampler.h"
#include "ccorinth_thread.h"

#endif
