// A feed in a thread, and a thread that trades.
//
//     c++ -std=c++17 feed.cpp -o feed $(pkg-config --cflags --libs corinth) -pthread && ./feed
#include <corinth.hpp>

#include <future>
#include <iostream>
#include <thread>

struct tick {
    unsigned number;
    double price;
    char symbol[8];
};

int main() {
    auto [ticks, input] = corinth::pipe<tick>();
    auto engine = corinth::scheduler::thread("engine");
    unsigned count = 0;
    unsigned long long sum = 0;
    std::promise<void> over;

    // It ends with `observation`. What it captures is used by the engine's thread alone.
    auto observation = ticks.filter([](tick const &t) { return t.number % 2 == 0; })
                           .observe_on(engine, corinth::buffering::drop_oldest(4096))
                           .observe(
                               [&](tick const &t) {
                                   count++;
                                   sum += t.number;
                               },
                               [&](corinth_end_kind, corinth_error const *) { over.set_value(); });

    std::thread feed([&input = input] {
        for (unsigned i = 0; i < 1000; i++) input.send(tick{i, i * 0.25, "CRNT"});
        input.complete();
    });
    feed.join();
    over.get_future().wait();
    std::cout << count << " ticks, sum " << sum << "\n";
}
