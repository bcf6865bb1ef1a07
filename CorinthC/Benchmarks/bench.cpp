// The rows in C++: bench ROUNDS, as bench.c.
#include <corinth.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if __has_include(<concurrentqueue/moodycamel/blockingconcurrentqueue.h>)
#include <concurrentqueue/moodycamel/blockingconcurrentqueue.h>
#define HAS_MOODYCAMEL
#elif __has_include(<concurrentqueue/blockingconcurrentqueue.h>)
#include <concurrentqueue/blockingconcurrentqueue.h>
#define HAS_MOODYCAMEL
#endif

static uint64_t sum;

static double since(std::chrono::steady_clock::time_point begin, int n) {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / n;
}

static double observed(int n) {
    auto [signal, input] = corinth::pipe<uint64_t>();
    auto observation = signal.map([](uint64_t v) { return v + 1; }).filter([](uint64_t v) { return v % 2 == 0; })
                           .observe([](uint64_t v) { sum += v; });
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) input.send(static_cast<uint64_t>(i));
    return since(begin, n);
}

static double observed_list(int n) {
    std::mutex mutex;
    std::vector<std::function<void(uint64_t)>> listeners;
    std::function<void(uint64_t)> last = [](uint64_t v) { sum += v; };
    std::function<void(uint64_t)> filter = [&](uint64_t v) {
        if (v % 2 == 0) last(v);
    };
    listeners.emplace_back([&](uint64_t v) { filter(v + 1); });
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) {
        std::lock_guard lock(mutex);
        for (auto &listener : listeners) listener(static_cast<uint64_t>(i));
    }
    return since(begin, n);
}

static double strings(int n) {
    auto [signal, input] = corinth::pipe<std::string>();
    auto observation = signal.observe([](std::string const &s) { sum += s.size(); });
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) input.send(std::string(40, 'x'));
    return since(begin, n);
}

static double strings_list(int n) {
    std::mutex mutex;
    std::vector<std::function<void(std::string const &)>> listeners{[](std::string const &s) { sum += s.size(); }};
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) {
        std::string value(40, 'x');
        std::lock_guard lock(mutex);
        for (auto &listener : listeners) listener(value);
    }
    return since(begin, n);
}

static double hop(int n) {
    auto engine = corinth::scheduler::thread("bench");
    auto [signal, input] = corinth::pipe<uint64_t>();
    std::atomic<bool> is_over{false};
    auto observation = signal.observe_on(engine).observe(
        [](uint64_t v) { sum += v; },
        [&](corinth_end_kind, corinth_error const *) { is_over.store(true), is_over.notify_one(); });
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++) input.send(static_cast<uint64_t>(i));
    input.complete();
    is_over.wait(false);
    return since(begin, n);
}

#ifdef HAS_MOODYCAMEL
static double moodycamel_hop(int n) {
    moodycamel::BlockingConcurrentQueue<uint64_t> queue(16384);
    auto begin = std::chrono::steady_clock::now();
    std::thread consumer([&queue, n] {
        uint64_t values[256];
        for (int left = n; left > 0;) {
            size_t count = queue.wait_dequeue_bulk(values, 256);
            for (size_t i = 0; i < count; i++) sum += values[i];
            left -= static_cast<int>(count);
        }
    });
    moodycamel::ProducerToken token(queue);
    for (int i = 0; i < n; i++) queue.enqueue(token, static_cast<uint64_t>(i));
    consumer.join();
    return since(begin, n);
}
#endif

int main(int argc, char **argv) {
    struct row {
        char const *name;
        double (*run)(int);
        int events;
        std::vector<double> times;
    };
    std::vector<row> rows{
        {"C++, mapped, filtered, observed: Corinth", observed, 2000000, {}},
        {"C++, mapped, filtered, observed: std::function under a mutex", observed_list, 2000000, {}},
        {"C++, a string: Corinth", strings, 500000, {}},
        {"C++, a string: std::function under a mutex", strings_list, 500000, {}},
        {"C++, to a thread: Corinth, bounded", hop, 500000, {}},
#ifdef HAS_MOODYCAMEL
        {"C++, to a thread: moodycamel::BlockingConcurrentQueue, unbounded", moodycamel_hop, 500000, {}},
#endif
    };
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    for (int round = -1; round < rounds; round++) {
        for (auto &row : rows) {
            double const time = row.run(round < 0 ? row.events / 10 : row.events);
            if (round >= 0) row.times.push_back(time);
        }
    }
    for (auto const &row : rows) {
        std::printf("%s", row.name);
        for (double time : row.times) std::printf("\t%.1f", time);
        std::printf("\n");
    }
    return sum == 0;
}
