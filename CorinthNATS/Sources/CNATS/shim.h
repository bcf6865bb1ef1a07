// libnats, as its package installs it.
#include <nats/nats.h>
