// The scenarios on libnats alone, as a C program would do them. Prints the nanoseconds per message.
//
// Usage: Direct ADDRESS core|publish|pull COUNT
#include <nats/nats.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <pthread.h>
#include <unistd.h>

static char payload[64];

static void check(natsStatus status, const char *what) {
    if (status == NATS_OK) return;
    fprintf(stderr, "Direct: %s: %s\n", what, natsStatus_GetText(status));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static long wanted, received;
static bool isDone;

static void onMessage(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure) {
    natsMsg_Destroy(message);
    if (++received < wanted) return;
    pthread_mutex_lock(&lock);
    isDone = true;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&lock);
}

static double core(const char *address, long count) {
    natsConnection *sender = NULL, *receiver = NULL;
    natsSubscription *subscription = NULL;
    check(natsConnection_ConnectTo(&sender, address), "connect");
    check(natsConnection_ConnectTo(&receiver, address), "connect");
    check(natsConnection_Subscribe(&subscription, receiver, "bench.core", onMessage, NULL), "subscribe");
    check(natsSubscription_SetPendingLimits(subscription, -1, -1), "limits");
    check(natsConnection_Flush(receiver), "flush");
    wanted = count;
    double start = now();
    for (long i = 0; i < count; i++) check(natsConnection_Publish(sender, "bench.core", payload, sizeof payload), "publish");
    pthread_mutex_lock(&lock);
    while (!isDone) pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
    return now() - start;
}

static double publish(const char *address, long count) {
    natsConnection *connection = NULL;
    jsCtx *js = NULL;
    check(natsConnection_ConnectTo(&connection, address), "connect");
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.MaxPending = 256;
    check(natsConnection_JetStream(&js, connection, &options), "JetStream");
    double start = now();
    char id[32];
    jsPubOptions publication;
    jsPubOptions_Init(&publication);
    // Ids, as CorinthNATS sends them.
    publication.MsgId = id;
    for (long i = 0; i < count; i++) {
        snprintf(id, sizeof id, "%lx-%lx", (long)getpid() << 32 | (long)start, i);
        check(js_PublishAsync(js, "bench.publish", payload, sizeof payload, &publication), "publish");
    }
    check(js_PublishAsyncComplete(js, NULL), "acknowledgements");
    return now() - start;
}

static double pull(const char *address, long count) {
    natsConnection *connection = NULL;
    jsCtx *js = NULL;
    natsSubscription *subscription = NULL;
    check(natsConnection_ConnectTo(&connection, address), "connect");
    check(natsConnection_JetStream(&js, connection, NULL), "JetStream");
    char name[32];
    snprintf(name, sizeof name, "direct-%ld", (long)getpid());
    check(js_PullSubscribe(&subscription, js, "bench.pull", name, NULL, NULL, NULL), "subscribe");
    double start = now();
    for (long left = count; left > 0;) {
        natsMsgList list;
        check(natsSubscription_Fetch(&list, subscription, left < 256 ? (int)left : 256, 5000, NULL), "fetch");
        for (int i = 0; i < list.Count; i++) check(natsMsg_Ack(list.Msgs[i], NULL), "acknowledge");
        left -= list.Count;
        natsMsgList_Destroy(&list);
    }
    check(natsConnection_Flush(connection), "flush");
    double time = now() - start;
    check(js_DeleteConsumer(js, "PULL", name, NULL, NULL), "delete");
    return time;
}

int main(int argc, char **argv) {
    long count = argc == 4 ? atol(argv[3]) : 0;
    double time;
    if (count < 1) goto usage;
    memset(payload, 'x', sizeof payload);
    if (!strcmp(argv[2], "core")) time = core(argv[1], count);
    else if (!strcmp(argv[2], "publish")) time = publish(argv[1], count);
    else if (!strcmp(argv[2], "pull")) time = pull(argv[1], count);
    else goto usage;
    printf("%.1f\n", time / (double)count);
    return 0;
usage:
    fprintf(stderr, "usage: Direct ADDRESS core|publish|pull COUNT\n");
    return 2;
}
