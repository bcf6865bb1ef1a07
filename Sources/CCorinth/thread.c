#include "CCorinth.h"

_Thread_local corinth_thread_state corinth_thread;
