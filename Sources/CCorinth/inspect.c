#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1
#endif
#include "CCorinth.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <link.h>
#endif

// MARK: The socket

// How many may look at the same time. A further one gets the place of who has been silent for longest.
#define CLIENTS 8

static struct sockaddr_un address;
static int listener = -1;
static pid_t owner = 0;

/// Sends all of it. False if the client doesn't read for a second, or is gone.
static bool send_all(int client, const char *text, size_t size) {
#if defined(MSG_NOSIGNAL)
    const int flags = MSG_NOSIGNAL;
#else
    const int flags = 0;
#endif
    while (size > 0) {
        ssize_t sent = send(client, text, size, flags);
        if (sent < 0 && errno == EINTR) { continue; }
        if (sent <= 0) { return false; }
        text += sent;
        size -= (size_t)sent;
    }
    return true;
}

// A longer request is refused.
#define REQUEST 8192

/// What each client has sent of its request, and when it came or was answered last. Owned by the thread that listens.
static struct {
    uint64_t since;
    size_t size;
    char text[REQUEST];
} requests[CLIENTS];

/// What the last answer took of a processor, in nanoseconds.
static _Atomic(uint64_t) last_cost = 0;

uint64_t ccorinth_look_cost(void) { return atomic_load_explicit(&last_cost, memory_order_relaxed); }

static uint64_t own_time(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/// Sends what a function makes, behind a head for HTTP if there is one. False if it fails.
static bool send_made(int client, char *(*make)(size_t *), const char *type) {
    uint64_t begun = own_time();
    size_t length = 0;
    char *text = make == NULL ? NULL : make(&length);
    if (text == NULL) { return false; }
    bool is_sent = true;
    if (type != NULL) {
        char head[256];
        int size = snprintf(
            head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", type,
            length);
        is_sent = send_all(client, head, (size_t)size);
    }
    is_sent = is_sent && send_all(client, text, length);
    free(text);
    atomic_store_explicit(&last_cost, own_time() - begun, memory_order_relaxed);
    return is_sent;
}

/// Answers a request of HTTP, which is complete. Its connection is closed then.
static void answer_http(int client, const char *text) {
    static const char path[] = "GET /metrics";
    const char *end = text + sizeof path - 1;
    if (strncmp(text, path, sizeof path - 1) == 0 && (*end == ' ' || *end == '?')) {
        send_made(client, ccorinth_metrics_text, "text/plain; version=0.0.4; charset=utf-8");
    } else {
        static const char none[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        send_all(client, none, sizeof none - 1);
    }
}

/// Answers what a client has asked. False if it is gone, or to be closed.
static bool answer(int client, size_t index) {
    char *text = requests[index].text;
    size_t known = requests[index].size;
    ssize_t size = recv(client, text + known, REQUEST - 1 - known, MSG_DONTWAIT);
    if (size < 0) { return errno == EAGAIN || errno == EINTR; }
    if (size == 0) { return false; }
    known += (size_t)size;
    text[known] = 0;
    requests[index].size = known;
    bool is_http = strncmp(text, "GET ", 4) == 0;
    if (strstr(text, is_http ? "\r\n\r\n" : "\n") == NULL) { return known < REQUEST - 1; }
    requests[index].size = 0;
    requests[index].since = ccorinth_monotonic_time();
    if (!is_http) { return send_made(client, ccorinth_snapshot_text, NULL); }
    answer_http(client, text);
    return false;
}

static int open_client(void) {
    int client = accept(listener, NULL, NULL);
    if (client < 0) { return -1; }
    fcntl(client, F_SETFD, FD_CLOEXEC);
    // A reader that stops must not keep the others waiting for longer.
    struct timeval second = {.tv_sec = 1};
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second);
#if defined(SO_NOSIGPIPE)
    int on = 1;
    setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    return client;
}

/// The one of all clients that has been silent for longest.
static size_t most_silent(void) {
    size_t found = 0;
    for (size_t index = 1; index < CLIENTS; index++) {
        if (requests[index].since < requests[found].since) { found = index; }
    }
    return found;
}

static void serve(void *context) {
    (void)context;
    ccorinth_block_signals();
    struct pollfd sockets[1 + CLIENTS] = {{.fd = listener, .events = POLLIN}};
    nfds_t count = 1;
    bool watches = false;
    while (true) {
        // While somebody looks, slow deliveries are looked for.
        if (count > 1 && !watches) { watches = ccorinth_watch_deliveries() == 0; }
        if (count == 1 && watches) {
            ccorinth_end_watching();
            watches = false;
        }
        if (poll(sockets, count, -1) < 0 && errno != EINTR) { return; }
        for (nfds_t index = count - 1; index > 0; index--) {
            if (sockets[index].revents == 0 || answer(sockets[index].fd, index - 1)) { continue; }
            close(sockets[index].fd);
            sockets[index] = sockets[--count];
            requests[index - 1] = requests[count - 1];
        }
        if ((sockets[0].revents & POLLIN) == 0) { continue; }
        int client = open_client();
        if (client < 0) {
            // The client still waits: without descriptors, the next look would find it at once.
            usleep(100000);
            continue;
        }
        size_t index = count - 1;
        if (count > CLIENTS) {
            index = most_silent();
            close(sockets[1 + index].fd);
        } else {
            count++;
        }
        sockets[1 + index] = (struct pollfd){.fd = client, .events = POLLIN};
        requests[index].size = 0;
        requests[index].since = ccorinth_monotonic_time();
    }
}

static void remove_socket(void) {
    if (owner == getpid()) { unlink(address.sun_path); }
}

/// Removes what a process left that was killed. False if one listens there, or if it is no socket.
static bool remove_stale(const struct sockaddr_un *at) {
    struct stat found;
    if (lstat(at->sun_path, &found) != 0 || !S_ISSOCK(found.st_mode)) { return false; }
    int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    if (probe < 0) { return false; }
    bool is_dead = connect(probe, (const struct sockaddr *)at, sizeof *at) != 0 && errno == ECONNREFUSED;
    close(probe);
    return is_dead && unlink(at->sun_path) == 0;
}

static int start_serving(const char *path) {
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int size = path == NULL ? snprintf(at.sun_path, sizeof at.sun_path, "/tmp/corinth-%d.sock", (int)getpid())
                            : snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    if (size <= 0 || (size_t)size >= sizeof at.sun_path) { return EINVAL; }
    if (owner == getpid()) { return strcmp(at.sun_path, address.sun_path) == 0 ? 0 : EADDRINUSE; }
    int opened = socket(AF_UNIX, SOCK_STREAM, 0);
    if (opened < 0) { return errno; }
    fcntl(opened, F_SETFD, FD_CLOEXEC);
    // Before it is bound: nobody else can connect at any moment.
    fchmod(opened, 0600);
    int error = bind(opened, (struct sockaddr *)&at, sizeof at) == 0 ? 0 : errno;
    if (error == EADDRINUSE && remove_stale(&at)) { error = bind(opened, (struct sockaddr *)&at, sizeof at) == 0 ? 0 : errno; }
    if (error == 0) { error = chmod(at.sun_path, 0600) == 0 && listen(opened, CLIENTS) == 0 ? 0 : errno; }
    if (error == 0) {
        // After a fork, the parent's socket is the parent's.
        if (listener >= 0) { close(listener); }
        listener = opened;
        address = at;
        error = ccorinth_start_thread("corinth.inspect", NULL, serve, &address);
        if (error != 0) {
            listener = -1;
            unlink(at.sun_path);
        }
    }
    if (error != 0) {
        close(opened);
        return error;
    }
    if (owner == 0) { atexit(remove_socket); }
    owner = getpid();
    return 0;
}

int ccorinth_serve_snapshots(const char *path) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    int error = start_serving(path);
    pthread_mutex_unlock(&mutex);
    return error;
}

// MARK: The signal

/// Where the signal handler tells the thread to write, and the process that has the thread; 0 for none.
static int requests_pipe[2] = {-1, -1};
static _Atomic(pid_t) writer = 0;
static int asking_signal = 0;
static char file_path[4096];

static void ask_for_snapshot(int number) {
    (void)number;
    int error = errno;
    // A child of a fork has no thread that would write. A full pipe holds enough requests.
    if (writer == getpid()) { (void)!write(requests_pipe[1], "", 1); }
    errno = error;
}

/// Appends a text to the file. Returns 0 or a system error number.
static int append(const char *text, size_t size) {
    int file = open(file_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file < 0) { return errno; }
    struct stat found;
    int error = fstat(file, &found) != 0 ? errno : S_ISREG(found.st_mode) && found.st_uid == geteuid() ? 0 : EACCES;
    bool is_ours = error == 0;
    while (error == 0 && size > 0) {
        ssize_t written = write(file, text, size);
        if (written < 0 && errno != EINTR) { error = errno; }
        if (written > 0) {
            text += written;
            size -= (size_t)written;
        }
    }
    // What the next snapshot follows is a whole line, even if the disk was full.
    if (is_ours && error != 0 && ftruncate(file, found.st_size) != 0) { error = errno; }
    return close(file) == 0 || error != 0 ? error : errno;
}

static void write_snapshots(void *context) {
    (void)context;
    ccorinth_block_signals();
    char several[64];
    ssize_t count;
    while ((count = read(requests_pipe[0], several, sizeof several)) > 0 || (count < 0 && errno == EINTR)) {
        size_t size = 0;
        char *text = count < 0 || ccorinth_snapshot_text == NULL ? NULL : ccorinth_snapshot_text(&size);
        if (text == NULL) { continue; }
        int error = append(text, size);
        free(text);
        if (error != 0) { fprintf(stderr, "Corinth: can't append to %s: %s\n", file_path, strerror(error)); }
    }
}

static int start_writing(int number, const char *path) {
    if (writer == getpid()) { return number == asking_signal && (path == NULL || strcmp(path, file_path) == 0) ? 0 : EBUSY; }
    int size = path == NULL ? snprintf(file_path, sizeof file_path, "/tmp/corinth-%d.json", (int)getpid())
                            : snprintf(file_path, sizeof file_path, "%s", path);
    if (size <= 0 || (size_t)size >= sizeof file_path) { return EINVAL; }
    struct sigaction before;
    if (sigaction(number, NULL, &before) != 0) { return errno; }
    bool is_free = (before.sa_flags & SA_SIGINFO) == 0 && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN);
    // After a fork, the handler is the parent's.
    if (!is_free && before.sa_handler != ask_for_snapshot) { return EBUSY; }
    if (pipe(requests_pipe) != 0) { return errno; }
    for (int end = 0; end < 2; end++) { fcntl(requests_pipe[end], F_SETFD, FD_CLOEXEC); }
    fcntl(requests_pipe[1], F_SETFL, O_NONBLOCK);
    struct sigaction mine = {.sa_flags = SA_RESTART | SA_ONSTACK};
    mine.sa_handler = ask_for_snapshot;
    writer = getpid();
    asking_signal = number;
    int error = sigaction(number, &mine, NULL) == 0 ? 0 : errno;
    if (error == 0) { error = ccorinth_start_thread("corinth.writer", NULL, write_snapshots, file_path); }
    if (error != 0) {
        sigaction(number, &before, NULL);
        writer = 0;
        for (int end = 0; end < 2; end++) { close(requests_pipe[end]); }
    }
    return error;
}

int ccorinth_write_snapshots(int number, const char *path) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    int error = start_writing(number, path);
    pthread_mutex_unlock(&mutex);
    return error;
}

/// Returns the number of a signal, by its name or number up to a colon; 0 if there is none.
static int signal_named(const char *text) {
    static const struct {
        const char *name;
        int number;
    } known[] = {{"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"HUP", SIGHUP}, {"QUIT", SIGQUIT}};
    char *end;
    long number = strtol(text, &end, 10);
    if (end != text) { return (*end == 0 || *end == ':') && number > 0 && number < 65 ? (int)number : 0; }
    if (strncmp(text, "SIG", 3) == 0) { text += 3; }
    size_t size = strcspn(text, ":");
    for (size_t index = 0; index < sizeof known / sizeof *known; index++) {
        if (strlen(known[index].name) == size && strncmp(known[index].name, text, size) == 0) { return known[index].number; }
    }
    return 0;
}

// MARK: The environment

static const char *asked_for(const char *name) {
    const char *value = getenv(name);
    return value == NULL || *value == 0 || strcmp(value, "0") == 0 ? NULL : value;
}

static void complain(const char *name, const char *value, int error) {
    if (error != 0) { fprintf(stderr, "Corinth: %s=%s: %s\n", name, value, strerror(error)); }
}

__attribute__((constructor)) static void begin(void) {
    const char *socket = asked_for("CORINTH_INSPECT"), *signal = asked_for("CORINTH_INSPECT_SIGNAL");
    if (socket != NULL || signal != NULL) { ccorinth_registry_switch(true); }
    if (socket != NULL) {
        int error = ccorinth_serve_snapshots(strncmp(socket, "unix:", 5) == 0 ? socket + 5 : NULL);
        complain("CORINTH_INSPECT", socket, error);
    }
    if (signal != NULL) {
        const char *path = strchr(signal, ':');
        int number = signal_named(signal);
        int error = number == 0 ? EINVAL : ccorinth_write_snapshots(number, path == NULL ? NULL : path + 1);
        complain("CORINTH_INSPECT_SIGNAL", signal, error);
    }
}

// Sanitizers would report what others write.
__attribute__((noinline, no_sanitize("address", "thread"))) uint8_t ccorinth_peek(const void *address) {
    return *(const volatile uint8_t *)address;
}

int32_t ccorinth_process(void) { return (int32_t)getpid(); }

// MARK: Code

#if defined(__linux__)
typedef struct {
    void *context;
    void (*visit)(void *, const ccorinth_code *);
    char program[4096];
} visitor;

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    visitor *visitor = context;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0) { continue; }
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        ccorinth_code code = {
            .path = info->dlpi_name != NULL && *info->dlpi_name != 0 ? info->dlpi_name : visitor->program,
            .start = start, .end = start + header->p_memsz, .offset = header->p_offset, .bias = info->dlpi_addr};
        visitor->visit(visitor->context, &code);
    }
    return 0;
}

void ccorinth_visit_code(void *context, void (*visit)(void *, const ccorinth_code *)) {
    visitor visitor = {.context = context, .visit = visit};
    ssize_t size = readlink("/proc/self/exe", visitor.program, sizeof visitor.program - 1);
    visitor.program[size < 0 ? 0 : size] = 0;
    dl_iterate_phdr(visit_object, &visitor);
}
#else
void ccorinth_visit_code(void *context, void (*visit)(void *, const ccorinth_code *)) {
    (void)context;
    (void)visit;
}
#endif
