// oneTBB's bounded queue for any number of senders and receivers. Its own waiting sleeps, so its calls that don't wait are used.
#include "driver.hpp"

#include <tbb/concurrent_queue.h>
#include <tbb/version.h>

struct Queue {
    static constexpr bool takesSeveralSenders = true;

    Queue() { values.set_capacity(capacity); }

    tbb::concurrent_bounded_queue<std::int64_t> values;

    struct Sender {
        explicit Sender(Queue &queue) : values(queue.values) {}
        bool trySend(std::int64_t number) { return values.try_push(number); }
        decltype(Queue::values) &values;
    };

    struct Receiver {
        explicit Receiver(Queue &queue) : values(queue.values) {}
        bool tryReceive(std::int64_t &number) { return values.try_pop(number); }
        decltype(Queue::values) &values;
    };
};

int main(int count, char **arguments) { return serve<Queue>("tbb " TBB_VERSION_STRING, count, arguments); }
