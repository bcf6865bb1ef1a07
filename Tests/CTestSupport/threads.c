#if defined(__linux__)
#define _GNU_SOURCE 1
#include "CTestSupport.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

size_t test_stack_size(void) {
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}

bool test_bind_process(int32_t processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return sched_setaffinity(getpid(), sizeof set, &set) == 0;
}

int32_t test_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int opened = socket(AF_UNIX, SOCK_STREAM, 0);
    if (opened < 0 || connect(opened, (const struct sockaddr *)&address, sizeof address) == 0) return opened;
    close(opened);
    return -1;
}

int32_t test_fork(void) {
    pid_t child = fork();
    if (child == 0) { alarm(60); } // A child that hangs is a failure, which the test reports.
    return child;
}

bool test_ends_well(int32_t process) {
    int status = 0;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool test_give_up_priorities(void) {
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_RTPRIO, &none) == 0 && (getuid() != 0 || setuid(65534) == 0);
}
#endif
