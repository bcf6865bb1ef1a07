// moodycamel's ConcurrentQueue, for any number of senders and receivers, with the tokens that its documentation recommends.
//
// It can't be bounded: many senders that are faster than the receiver fill the memory with their values. Its values have the order
// of their sender, but it visits the senders in turn, so a value may overtake an older one of another sender.
#include "driver.hpp"

#if __has_include(<concurrentqueue/moodycamel/concurrentqueue.h>)
#include <concurrentqueue/moodycamel/concurrentqueue.h>
#else
#include <concurrentqueue/concurrentqueue.h>
#endif

// The headers don't have their version. Benchmarks/run asks the system's packages for it.
#ifndef PEER_VERSION
#define PEER_VERSION "unknown"
#endif

struct Queue {
    static constexpr bool takesSeveralSenders = true;

    moodycamel::ConcurrentQueue<std::int64_t> values{capacity};

    struct Sender {
        explicit Sender(Queue &queue) : values(queue.values), token(queue.values) {}
        bool trySend(std::int64_t number) { return values.enqueue(token, number); }
        decltype(Queue::values) &values;
        moodycamel::ProducerToken token;
    };

    struct Receiver {
        explicit Receiver(Queue &queue) : values(queue.values), token(queue.values) {}
        bool tryReceive(std::int64_t &number) { return values.try_dequeue(token, number); }
        decltype(Queue::values) &values;
        moodycamel::ConsumerToken token;
    };
};

int main(int count, char **arguments) { return serve<Queue>("moodycamel " PEER_VERSION, count, arguments); }
