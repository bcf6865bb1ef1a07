#include "CScenarioSupport.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __linux__
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Shared with the neighbours.
typedef struct {
    // 1 while the neighbours spin, 0 while they sleep.
    _Atomic uint32_t busy;
    _Atomic uint64_t rounds[SCENARIO_MOST_NEIGHBOURS];
} Neighbourhood;

static Neighbourhood *neighbourhood;
static pid_t neighbours[SCENARIO_MOST_NEIGHBOURS];
static int32_t count;

// A neighbour: a process of one thread that allocates nothing and calls nothing that might hold a lock after the fork.
static void live(pid_t parent, _Atomic uint64_t *rounds) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "neighbour");
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    // The pipes of the parent must end with the parent.
    for (int descriptor = 0; descriptor < 4096; descriptor++) close(descriptor);
    // The parent may have ended before the first line.
    while (getppid() == parent) {
        if (atomic_load_explicit(&neighbourhood->busy, memory_order_relaxed) == 0) {
            struct timespec second = {1, 0};
            syscall(SYS_futex, &neighbourhood->busy, FUTEX_WAIT, 0, &second, NULL, 0);
        }
        for (int round = 0; round < 1000; round++) {
            for (volatile int step = 0; step < 100; step++) {}
            if (atomic_load_explicit(&neighbourhood->busy, memory_order_relaxed) == 0) break;
            atomic_fetch_add_explicit(rounds, 1, memory_order_relaxed);
        }
    }
    _exit(0);
}

int32_t scenario_neighbours_start(int32_t wanted) {
    if (neighbourhood || wanted < 1 || wanted > SCENARIO_MOST_NEIGHBOURS) return EINVAL;
    void *shared = mmap(NULL, sizeof(Neighbourhood), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return errno;
    neighbourhood = shared;
    pid_t parent = getpid();
    for (count = 0; count < wanted; count++) {
        pid_t child = fork();
        if (child == 0) live(parent, &neighbourhood->rounds[count]);
        if (child < 0) {
            int error = errno;
            scenario_neighbours_end();
            return error;
        }
        neighbours[count] = child;
    }
    return 0;
}

void scenario_neighbours_set_busy(int32_t isBusy) {
    if (!neighbourhood) return;
    atomic_store_explicit(&neighbourhood->busy, isBusy ? 1 : 0, memory_order_relaxed);
    if (isBusy) syscall(SYS_futex, &neighbourhood->busy, FUTEX_WAKE, SCENARIO_MOST_NEIGHBOURS, NULL, NULL, 0);
}

void scenario_neighbours_end(void) {
    if (!neighbourhood) return;
    for (int32_t index = 0; index < count; index++) {
        kill(neighbours[index], SIGKILL);
        while (waitpid(neighbours[index], NULL, 0) < 0 && errno == EINTR) {}
    }
    count = 0;
    munmap(neighbourhood, sizeof(Neighbourhood));
    neighbourhood = NULL;
}

uint64_t scenario_neighbours_rounds(int32_t index) {
    if (!neighbourhood || index < 0 || index >= count) return 0;
    return atomic_load_explicit(&neighbourhood->rounds[index], memory_order_relaxed);
}

int32_t scenario_neighbours_process(int32_t index) { return index >= 0 && index < count ? neighbours[index] : 0; }
#else
int32_t scenario_neighbours_start(int32_t wanted) {
    (void)wanted;
    return ENOSYS;
}
void scenario_neighbours_set_busy(int32_t isBusy) { (void)isBusy; }
void scenario_neighbours_end(void) {}
uint64_t scenario_neighbours_rounds(int32_t index) {
    (void)index;
    return 0;
}
int32_t scenario_neighbours_process(int32_t index) {
    (void)index;
    return 0;
}
#endif
