// What corinth.hpp promises beyond corinth.h: ownership, types, lambdas.
#include <corinth.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> checks{0};

#define CHECK(condition) \
    do { \
        checks++; \
        if (!(condition)) { \
            std::fprintf(stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, __func__, #condition); \
            std::exit(1); \
        } \
    } while (0)

template <class F>
static bool eventually(F is_true) {
    for (int left = 20000; left > 0 && !is_true(); left--) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return is_true();
}

// Counts its copies that are alive.
struct counted {
    static inline std::atomic<int> alive{0}, copies{0};
    int number;
    explicit counted(int n) : number(n) { alive++; }
    counted(counted const &other) : number(other.number) { alive++, copies++; }
    counted(counted &&other) noexcept : number(other.number) { alive++; }
    counted &operator=(counted const &) = default;
    ~counted() { alive--; }
};

struct small {
    int16_t a, b;
    float c;
};

static void values() {
    // As they are, up to eight bytes.
    auto [smalls, small_input] = corinth::pipe<small>();
    float sum = 0;
    auto o1 = smalls.observe([&sum](small const &s) { sum += float(s.a) * float(s.b) + s.c; });
    small_input.send({2, 3, 0.5f});
    CHECK(sum == 6.5f);
    auto [doubles, double_input] = corinth::pipe<double>();
    double last = 0;
    auto o2 = doubles.observe([&last](double d) { last = d; });
    double_input.send(-1.25);
    CHECK(last == -1.25);
    auto [bools, bool_input] = corinth::pipe<bool>();
    int trues = 0;
    auto o3 = bools.filter([](bool b) { return b; }).observe([&trues](bool) { trues++; });
    bool_input.send(true);
    bool_input.send(false);
    CHECK(trues == 1);

    // On the heap, once, and by reference after that.
    {
        auto [things, input] = corinth::pipe<counted>();
        int seen = 0;
        auto a = things.observe([&seen](counted const &c) { seen += c.number; });
        auto b = things.map([](counted const &c) { return std::to_string(c.number); })
                     .observe([&seen](std::string const &s) { seen += static_cast<int>(s.size()); });
        input.send(counted(42));
        CHECK(seen == 44);
        CHECK(counted::alive == 0);
        CHECK(counted::copies == 0);
    }
    // Move-only.
    auto [pointers, pointer_input] = corinth::pipe<std::unique_ptr<counted>>();
    int number = 0;
    auto o4 = pointers.observe([&number](std::unique_ptr<counted> const &p) { number = p->number; });
    pointer_input.send(std::make_unique<counted>(7));
    CHECK(number == 7);
    CHECK(counted::alive == 0);
}

static void lambdas() {
    auto token = std::make_shared<int>(0);
    auto [numbers, input] = corinth::pipe<int>();
    {
        auto odd = numbers.filter([token](int n) { return n % 2 == 1; });
        auto twice = odd.map([token](int n) mutable { return n * 2; });
        auto observation = twice.observe([token](int n) { *token += n; }, [token](corinth_end_kind, corinth_error const *) {});
        CHECK(token.use_count() == 5);
        for (int n = 0; n < 4; n++) input.send(n);
        CHECK(*token == 8);
    }
    // The observation has ended with its handle, and so have the operators before it.
    CHECK(token.use_count() == 1);
    numbers.observe([token](int) {}).detach();
    CHECK(token.use_count() == 2);
    input.complete();
    CHECK(token.use_count() == 1);
}

static void ends() {
    corinth_end_kind kind{};
    int32_t code = 0;
    std::string text;
    auto note = [&](corinth_end_kind k, corinth_error const *error) {
        kind = k;
        code = error == nullptr ? 0 : error->code;
        text = error == nullptr ? "" : error->text;
    };
    {
        auto [s, input] = corinth::pipe<int>();
        auto o = s.observe([](int) {}, note);
        input.fail(12, "twelve");
        CHECK(kind == CORINTH_FAILED && code == 12 && text == "twelve");
    }
    {
        auto [s, input] = corinth::pipe<int>();
        auto o = s.observe([](int) {}, note);
        input.complete();
        CHECK(kind == CORINTH_COMPLETED);
    }
    auto [s, input] = corinth::pipe<int>();
    auto o = s.observe([](int) {}, note);
    { auto gone = std::move(input); }
    CHECK(kind == CORINTH_INTERRUPTED);
    CHECK(!input);
}

static void handles() {
    auto [s, input] = corinth::pipe<int>();
    int count = 0;
    corinth::disposable observation = s.observe([&count](int) { count++; });
    auto other = std::move(observation);
    observation.dispose();  // moved from: nothing
    input.send(1);
    CHECK(count == 1);
    other = s.observe([&count](int) { count += 10; });  // disposes of the first
    input.send(1);
    CHECK(count == 11);
    auto shared = input.share();
    { auto first = std::move(input); }
    shared.send(1);
    CHECK(count == 21);
    auto twin = s.share();
    CHECK(twin.get() == s.get());
    int disposed = 0;
    {
        corinth::disposable mine([&disposed] { disposed++; });
        mine.dispose();
    }
    CHECK(disposed == 1);

    // An observation that ends itself in its callback.
    corinth::disposable self;
    int calls = 0;
    auto guard = std::make_shared<std::string>("alive");
    self = s.observe([&self, &calls, guard](int) {
        self.dispose();
        calls += guard->size() == 5 ? 1 : 100;
    });
    guard.reset();
    shared.send(1);
    shared.send(1);
    CHECK(calls == 1);
}

static void hops() {
    auto engine = corinth::scheduler::thread("engine");
    auto queue = corinth::scheduler::queue("queue");
    CHECK(engine && queue);
    corinth::statistics statistics;
    auto [lines, input] = corinth::pipe<std::string>();
    std::atomic<size_t> letters{0};
    std::atomic<bool> is_over{false};
    auto o = lines.observe_on(engine, corinth::buffering::blocking(16).stalling(-1).counting(statistics))
                 .map([](std::string const &line) { return line + "!"; })
                 .observe_on(queue)
                 .observe([&letters](std::string const &line) { letters += line.size(); },
                          [&is_over](corinth_end_kind, corinth_error const *) { is_over = true; });
    for (int i = 0; i < 1000; i++) input.send(std::string(9, 'x'));
    input.complete();
    CHECK(eventually([&] { return is_over.load(); }));
    CHECK(letters == 10000);
    CHECK(statistics.read().delivered == 1000);

    auto [numbers, number_input] = corinth::pipe<int>();
    std::atomic<int> sum{0}, batches{0};
    auto b = numbers.observe_batches(queue, 10, 1000000, [&](corinth::batch<int> batch) {
        for (int n : batch) sum += n;
        CHECK(batch.size() >= 1 && batch.size() <= 10);
        batches++;
    });
    for (int n = 1; n <= 100; n++) number_input.send(n);
    CHECK(eventually([&] { return sum.load() == 5050; }));
    CHECK(batches >= 10);

    std::atomic<bool> has_run{false};
    auto scheduled = queue.schedule([&has_run] { has_run = true; }, 1000000);
    CHECK(eventually([&] { return has_run.load(); }));

    // A loop of one's own.
    std::vector<corinth::task> tasks;
    auto loop = corinth::scheduler::of([&tasks](corinth::task task) { tasks.push_back(std::move(task)); });
    int count = 0;
    auto l = numbers.observe_on(loop).observe([&count](int) { count++; });
    number_input.send(1);
    CHECK(count == 0 && tasks.size() == 1);
    tasks[0].run();
    CHECK(count == 1);
}

static void rest() {
    corinth::property<std::string> name("a");
    std::vector<std::string> seen;
    auto o = name.values().start([&seen](std::string const &s) { seen.push_back(s); });
    name.set_value("b");
    CHECK(name.get_value() == "b");
    CHECK((seen == std::vector<std::string>{"a", "b"}));

    std::vector<corinth::signal<int>> signals;
    std::vector<corinth::input<int>> inputs;
    for (int i = 0; i < 3; i++) {
        auto [s, input] = corinth::pipe<int>();
        signals.push_back(std::move(s));
        inputs.push_back(std::move(input));
    }
    int sum = 0;
    auto merged = corinth::signal<int>::merge(signals).observe([&sum](int n) { sum += n; });
    for (auto &input : inputs) input.send(2);
    CHECK(sum == 6);
    CHECK(inputs[0].try_send(1) && sum == 7);

    corinth::property<bool> is_enabled(false);
    corinth::action<int, std::string> action(is_enabled, [](int n) {
        return corinth::producer<std::string>([n](corinth::input<std::string> input, corinth::lifetime lifetime) {
            for (int i = 0; i < n && !lifetime.has_ended(); i++) input.send(std::to_string(i));
            input.complete();
        });
    });
    int32_t code = 0;
    auto note = [&code](corinth_end_kind, corinth_error const *error) { code = error == nullptr ? 0 : error->code; };
    auto e1 = action.apply(3).start([](std::string const &) {}, note);
    CHECK(code == CORINTH_ERROR_DISABLED);
    is_enabled.set_value(true);
    std::string all;
    auto e2 = action.apply(3).start([&all](std::string const &s) { all += s; }, note);
    CHECK(code == 0 && all == "012");

    // What a lifetime takes over is disposed of at its end.
    int disposed = 0;
    corinth::input<int> kept;
    corinth::producer<int> endless([&](corinth::input<int> input, corinth::lifetime lifetime) {
        kept = std::move(input);
        lifetime.add(corinth::disposable([&disposed] { disposed++; }));
    });
    {
        auto start = endless.start([](int) {});
        CHECK(disposed == 0);
    }
    CHECK(disposed == 1);
}

int main() {
    values();
    lambdas();
    ends();
    handles();
    hops();
    rest();
    std::printf("%d checks\n", checks.load());
}
