#ifndef CCORINTH_H
#define CCORINTH_H

#include "corinth_atomics.h"
#include "corinth_barriers.h"
#include "corinth_forks.h"
#include "corinth_futex.h"
#include "corinth_probes.h"
#include "corinth_references.h"
#include "corinth_thread.h"

#endif
