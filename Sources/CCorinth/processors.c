#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"

#include <unistd.h>

#if defined(__linux__)
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

/// Reads the first line of a file, without its end; false if there is none.
static bool read_line(const char *directory, const char *group, const char *file, char *line, size_t size) {
    char path[1024];
    if (snprintf(path, sizeof path, "%s%s/%s", directory, group, file) >= (int)sizeof path) { return false; }
    FILE *stream = fopen(path, "re");
    if (stream == NULL) { return false; }
    bool is_read = fgets(line, (int)size, stream) != NULL;
    fclose(stream);
    return is_read;
}

/// The quota of one control group in whole processors, rounded up; `most` if it has none.
static uint32_t quota(const char *directory, const char *group, bool is_unified, uint32_t most) {
    char line[64];
    long long time = -1, period = 0;
    if (is_unified) {
        if (!read_line(directory, group, "cpu.max", line, sizeof line)) { return most; }
        if (sscanf(line, "%lld %lld", &time, &period) != 2) { return most; }
    } else {
        if (!read_line(directory, group, "cpu.cfs_quota_us", line, sizeof line)) { return most; }
        if (sscanf(line, "%lld", &time) != 1) { return most; }
        if (!read_line(directory, group, "cpu.cfs_period_us", line, sizeof line)) { return most; }
        if (sscanf(line, "%lld", &period) != 1) { return most; }
    }
    if (time <= 0 || period <= 0) { return most; }
    long long processors = (time + period - 1) / period;
    return processors < most ? (uint32_t)processors : most;
}

uint32_t ccorinth_quota(const char *groups, const char *mount, uint32_t most) {
    FILE *stream = fopen(groups, "re");
    if (stream == NULL) { return most; }
    char line[1024];
    while (fgets(line, sizeof line, stream) != NULL) {
        // The number of the hierarchy, its controllers, and the path of the group in it. The unified one has no controllers.
        char *controllers = strchr(line, ':');
        char *group = controllers == NULL ? NULL : strchr(++controllers, ':');
        if (group == NULL) { continue; }
        *group++ = 0;
        group[strcspn(group, "\n")] = 0;
        bool is_unified = *controllers == 0, has_processors = false;
        char *rest = controllers, *name;
        while ((name = strsep(&rest, ",")) != NULL) { has_processors |= strcmp(name, "cpu") == 0; }
        if (!is_unified && !has_processors) { continue; }
        char directory[512];
        if (snprintf(directory, sizeof directory, "%s%s", mount, is_unified ? "" : "/cpu") >= (int)sizeof directory) { continue; }
        // The quotas of the groups around it hold, too. Inside a container, the path may not exist, but its root does.
        while (true) {
            most = quota(directory, group, is_unified, most);
            char *last = strrchr(group, '/');
            if (last == NULL) { break; }
            *last = 0;
        }
    }
    fclose(stream);
    return most;
}

uint32_t ccorinth_processor_count(void) {
    // Of the main thread: the calling one may be bound to a single processor.
    unsigned long set[1024 / sizeof(unsigned long)];
    long size = syscall(SYS_sched_getaffinity, getpid(), sizeof set, set);
    uint32_t count = 0;
    for (size_t word = 0; size > 0 && word < (size_t)size / sizeof set[0]; word++) {
        count += (uint32_t)__builtin_popcountl(set[word]);
    }
    if (count == 0) { count = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN); }
    return ccorinth_quota("/proc/self/cgroup", "/sys/fs/cgroup", count > 0 ? count : 1);
}
#else
uint32_t ccorinth_quota(const char *groups, const char *mount, uint32_t most) { return most; }

uint32_t ccorinth_processor_count(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}
#endif
