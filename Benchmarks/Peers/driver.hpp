// What the drivers of the C++ libraries have in common.
//
// A driver is a process that passes numbers from one or more threads to another thread, through the queue of a library. It prints a
// line with the library's name and version. For each line with a number N, it then passes the numbers from 1 to N, and prints their
// sum when all have arrived. It ends when its input ends, and with status 2 if it doesn't understand a line. Between two runs, its
// threads sleep.
//
//     DRIVER 1p1c         one thread sends
//     DRIVER contend N    N threads send, and begin together
//
// A queue has a `Sender` with `trySend`, and a `Receiver` with `tryReceive`. Each is made on the thread that uses it.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <sched.h>

// How many numbers a queue holds, if it can be bounded.
constexpr std::size_t capacity = 65'536;

// The most numbers in flight of a single sender: half of the capacity, as in Corinth's `disruptor/1p1c`.
constexpr std::int64_t window = 32'768;

// Waits like a `ThreadScheduler` that spins and then yields.
class Pause {
public:
    void operator()() {
        if (attempts++ < 1000) {
#if defined(__x86_64__) || defined(__i386__)
            __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
            __asm__ volatile("yield");
#endif
        } else {
            sched_yield();
        }
    }

private:
    int attempts = 0;
};

// Rounds that threads wait for. They sleep meanwhile.
class Rounds {
public:
    void begin() {
        {
            std::lock_guard<std::mutex> lock(mutex);
            ++begun;
        }
        changed.notify_all();
    }

    void wait(std::int64_t round) {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return begun >= round; });
    }

private:
    std::mutex mutex;
    std::condition_variable changed;
    std::int64_t begun = 0;
};

template <class Queue> class Driver {
public:
    // `team` threads send; with 0, the thread that calls `pass`.
    explicit Driver(int team) : team(team) {
        std::thread([this] { receive(); }).detach();
        for (int member = 0; member < team; member++) std::thread([this, member] { sendAsMember(member); }).detach();
        if (team == 0) sender = std::make_unique<typename Queue::Sender>(queue);
    }

    // Passes the numbers from 1 to `count`, and returns their sum.
    std::int64_t pass(std::int64_t count) {
        if (count == 0) return 0;
        total = count;
        arrived.store(0, std::memory_order_relaxed);
        starts.begin();
        if (team == 0) {
            for (std::int64_t sent = 0; sent < count;) {
                std::int64_t last = std::min(count, sent + window);
                send(*sender, sent + 1, last);
                sent = last;
                for (Pause pause; arrived.load(std::memory_order_acquire) < sent;) pause();
            }
        }
        ends.wait(++passed);
        return sum;
    }

private:
    void send(typename Queue::Sender &sender, std::int64_t first, std::int64_t last) {
        for (std::int64_t number = first; number <= last; number++) {
            for (Pause pause; !sender.trySend(number);) pause();
        }
    }

    void sendAsMember(int member) {
        typename Queue::Sender sender(queue);
        for (std::int64_t round = 1;; round++) {
            starts.wait(round);
            const std::int64_t first = total * member / team + 1, last = total * (member + 1) / team;
            // The members begin when the last one is awake, and has read the total: the run may end without those that have no number.
            awake.fetch_add(1, std::memory_order_release);
            while (awake.load(std::memory_order_acquire) < round * team) sched_yield();
            send(sender, first, last);
        }
    }

    void receive() {
        typename Queue::Receiver receiver(queue);
        for (std::int64_t round = 1;; round++) {
            starts.wait(round);
            std::int64_t added = 0;
            for (std::int64_t count = 1; count <= total; count++) {
                std::int64_t number = 0;
                for (Pause pause; !receiver.tryReceive(number);) pause();
                added += number;
                arrived.store(count, std::memory_order_release);
            }
            sum = added;
            ends.begin();
        }
    }

    Queue queue;
    const int team;
    // Of the thread that calls `pass`.
    std::unique_ptr<typename Queue::Sender> sender;
    std::int64_t passed = 0;
    Rounds starts, ends;
    // `starts` publishes the first one, and `ends` the second one.
    std::int64_t total = 0, sum = 0;
    alignas(128) std::atomic<std::int64_t> arrived{0};
    alignas(128) std::atomic<std::int64_t> awake{0};
};

inline int fail(const std::string &reason) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return 2;
}

// The main function of a driver.
template <class Queue> int serve(const std::string &title, int count, char **arguments) {
    const std::string mode = count > 1 ? arguments[1] : "";
    const int team = mode == "contend" && count == 3 ? std::atoi(arguments[2]) : 0;
    if (team < 1 && !(mode == "1p1c" && count == 2)) return fail("the arguments are 1p1c, or contend and a number of threads");
    if (team > 0 && !Queue::takesSeveralSenders) return fail("this queue takes the values of one thread only");
    // Never freed: its threads use it until the process ends.
    auto *driver = new Driver<Queue>(team);
    std::cout << title << std::endl;
    for (std::string line; std::cout && std::getline(std::cin, line);) {
        char *end = nullptr;
        const long long number = std::strtoll(line.c_str(), &end, 10);
        if (line.empty() || *end || number < 0) return fail("'" + line + "' is no number of values");
        std::cout << driver->pass(number) << std::endl;
    }
    std::_Exit(std::cout ? 0 : 2);
}
