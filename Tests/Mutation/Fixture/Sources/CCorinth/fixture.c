#include "include/CCorinth.h"
