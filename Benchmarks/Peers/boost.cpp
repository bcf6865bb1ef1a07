// Boost's ring for one sender and one receiver. It is bounded.
#include "driver.hpp"

#include <boost/lockfree/spsc_queue.hpp>
#include <boost/version.hpp>

struct Queue {
    static constexpr bool takesSeveralSenders = false;

    boost::lockfree::spsc_queue<std::int64_t, boost::lockfree::capacity<capacity>> ring;

    struct Sender {
        explicit Sender(Queue &queue) : ring(queue.ring) {}
        bool trySend(std::int64_t number) { return ring.push(number); }
        decltype(Queue::ring) &ring;
    };

    struct Receiver {
        explicit Receiver(Queue &queue) : ring(queue.ring) {}
        bool tryReceive(std::int64_t &number) { return ring.pop(number); }
        decltype(Queue::ring) &ring;
    };
};

int main(int count, char **arguments) {
    const int version = BOOST_VERSION;
    return serve<Queue>(
        "boost " + std::to_string(version / 100'000) + "." + std::to_string(version / 100 % 1000), count, arguments);
}
