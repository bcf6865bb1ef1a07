/// Corinth's streams for C++17, on top of `corinth.h`, which says what each function does, and on which thread callbacks run.
///
/// ```cpp
/// auto [ticks, input] = corinth::pipe<tick>();
/// auto engine = corinth::scheduler::thread("engine");
/// auto observation = ticks.filter([](tick const &t) { return t.size > 0; })
///                        .observe_on(engine, corinth::buffering::drop_oldest(1024))
///                        .observe([](tick const &t) { trade(t); });
/// input.send(tick{…});
/// ```
///
/// * Handles are move-only, and release what they have. An observation or a start **ends with its handle**, unless it is detached.
/// * A value of a trivially copyable type of at most eight bytes travels as it is. Any other is moved to the heap once, and deleted
///   with the last reference to it: one allocation and one owner, however many buffers it passes. Callbacks get it by reference to
///   const.
/// * Callbacks are lambdas. They are moved to the heap, and destroyed when they will not be called any more. An exception that
///   leaves one ends the process (`std::terminate`): none crosses the border.
#ifndef CORINTH_HPP
#define CORINTH_HPP

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "corinth.h"

namespace corinth {

/// A handle, and one reference on it.
template <class Handle>
class unique {
  public:
    unique() noexcept = default;
    /// Takes a reference.
    explicit unique(Handle *handle) noexcept : handle_(handle) {}
    unique(unique &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    unique &operator=(unique &&other) noexcept {
        unique(std::move(other)).swap(*this);
        return *this;
    }
    ~unique() { corinth_release(handle_); }

    void swap(unique &other) noexcept { std::swap(handle_, other.handle_); }
    /// For functions of `corinth.h`.
    [[nodiscard]] Handle *get() const noexcept { return handle_; }
    /// Gives the reference away.
    [[nodiscard]] Handle *release() noexcept { return std::exchange(handle_, nullptr); }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

  protected:
    /// Another reference.
    [[nodiscard]] Handle *retained() const noexcept {
        corinth_retain(handle_);
        return handle_;
    }

  private:
    Handle *handle_ = nullptr;
};

namespace detail {

template <class T>
inline constexpr bool is_inline = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(uint64_t);

template <class T>
void destroy(void *context) noexcept {
    delete static_cast<T *>(context);
}

/// Gives an owner away.
template <class T>
corinth_value encode(T value) {
    if constexpr (is_inline<T>) {
        uint64_t bits = 0;
        std::memcpy(&bits, std::addressof(value), sizeof(T));
        return {bits, nullptr};
    } else {
        auto *boxed = new T(std::move(value));
        return {static_cast<uint64_t>(reinterpret_cast<uintptr_t>(boxed)), corinth_owner_create(boxed, destroy<T>)};
    }
}

/// What a callback gets: a copy of what travels as it is, a reference to what doesn't.
template <class T>
using decoded = std::conditional_t<is_inline<T>, T, T const &>;

template <class T>
decoded<T> decode(corinth_value value) noexcept {
    if constexpr (is_inline<T>) {
        alignas(T) unsigned char raw[sizeof(T)];
        std::memcpy(raw, &value.bits, sizeof(T));
        return *std::launder(reinterpret_cast<T *>(raw));
    } else {
        return *reinterpret_cast<T const *>(static_cast<uintptr_t>(value.bits));
    }
}

/// A value on its way to a function that borrows it.
template <class T>
class borrowed {
  public:
    explicit borrowed(T value) : value_(encode<T>(std::move(value))) {}
    borrowed(borrowed const &) = delete;
    borrowed &operator=(borrowed const &) = delete;
    ~borrowed() { corinth_release(value_.owner); }
    operator corinth_value() const noexcept { return value_; }

  private:
    corinth_value value_;
};

struct ignore_end {
    void operator()(corinth_end_kind, corinth_error const *) const noexcept {}
};

template <class OnValue, class OnEnd>
struct callbacks {
    OnValue value;
    OnEnd end;
};

template <class T, class OnValue, class OnEnd>
corinth_observer make_observer(OnValue on_value, OnEnd on_end) {
    using context = callbacks<OnValue, OnEnd>;
    corinth_observer observer{};
    observer.context = new context{std::move(on_value), std::move(on_end)};
    observer.value = [](void *c, corinth_value value) noexcept { static_cast<context *>(c)->value(decode<T>(value)); };
    if constexpr (!std::is_same_v<OnEnd, ignore_end>) {
        observer.end = [](void *c, corinth_end_kind end, corinth_error const *error) noexcept {
            static_cast<context *>(c)->end(end, error);
        };
    }
    observer.release = destroy<context>;
    return observer;
}

}  // namespace detail

template <class T>
class producer;

/// An observation, a start or something scheduled. Ends with this handle, unless it is detached.
class disposable : unique<corinth_disposable> {
  public:
    disposable() noexcept = default;
    /// Takes a reference.
    explicit disposable(corinth_disposable *handle) noexcept : unique(handle) {}
    /// Of a function that is called once, when this is disposed of.
    template <class F, class = std::enable_if_t<std::is_invocable_v<F &>>>
    explicit disposable(F dispose)
        : unique(corinth_disposable_create(
              [](void *c) noexcept { (*static_cast<F *>(c))(); }, new F(std::move(dispose)), detail::destroy<F>)) {}
    disposable(disposable &&) noexcept = default;
    disposable &operator=(disposable &&other) noexcept {
        dispose();
        unique::operator=(std::move(other));
        return *this;
    }
    ~disposable() { dispose(); }

    void dispose() noexcept { corinth_dispose(get()); }
    /// Lets it go on, until its stream ends.
    void detach() noexcept { unique().swap(*this); }
    using unique::get;
    using unique::release;
};

/// What a buffer does when it is full.
struct buffering : corinth_buffering {
    static buffering blocking(uint32_t capacity) noexcept { return {CORINTH_BLOCK, capacity}; }
    static buffering drop_newest(uint32_t capacity) noexcept { return {CORINTH_DROP_NEWEST, capacity}; }
    static buffering drop_oldest(uint32_t capacity) noexcept { return {CORINTH_DROP_OLDEST, capacity}; }
    static buffering failing(uint32_t capacity) noexcept { return {CORINTH_FAIL, capacity}; }
    static buffering unbounded() noexcept { return {CORINTH_UNBOUNDED, 0}; }

    /// With `blocking`: the stall timeout in nanoseconds; less than 0 for never.
    [[nodiscard]] buffering stalling(int64_t nanoseconds) const noexcept {
        buffering copy = *this;
        copy.stall_timeout = nanoseconds;
        return copy;
    }
    [[nodiscard]] buffering counting(unique<corinth_statistics> const &statistics) const noexcept {
        buffering copy = *this;
        copy.statistics = statistics.get();
        return copy;
    }

  private:
    buffering(corinth_policy policy, uint32_t capacity) noexcept : corinth_buffering{policy, capacity, 0, nullptr} {}
};

class statistics : public unique<corinth_statistics> {
  public:
    statistics() : unique(corinth_statistics_create()) {}
    [[nodiscard]] corinth_counts read() const noexcept { return corinth_statistics_read(get()); }
};

/// What a scheduler of yours has to run: once, or not at all.
class task : public unique<corinth_task> {
  public:
    using unique::unique;
    void run() noexcept { corinth_task_run(release()); }
};

class scheduler : public unique<corinth_scheduler> {
  public:
    using unique::unique;
    static scheduler queue(char const *name) { return scheduler(corinth_queue_create(name)); }
    static scheduler thread(
        char const *name, corinth_waiting waiting = CORINTH_SPIN_THEN_PARK, int32_t processor = -1) {
        return scheduler(corinth_thread_create(name, waiting, processor));
    }
    /// Of a function that queues a `task`.
    template <class F>
    static scheduler of(F schedule) {
        return scheduler(corinth_scheduler_create(
            [](void *c, corinth_task *handle) noexcept { (*static_cast<F *>(c))(task(handle)); },
            new F(std::move(schedule)), detail::destroy<F>));
    }

    /// - delay: In nanoseconds.
    template <class F>
    [[nodiscard]] disposable schedule(F run, int64_t delay = 0) const {
        return disposable(corinth_schedule(
            get(), delay, [](void *c) noexcept { (*static_cast<F *>(c))(); }, new F(std::move(run)), detail::destroy<F>));
    }
};

/// Values that were collected.
template <class T>
class batch {
  public:
    batch(corinth_value const *values, size_t count) noexcept : values_(values), count_(count) {}
    [[nodiscard]] size_t size() const noexcept { return count_; }
    detail::decoded<T> operator[](size_t index) const noexcept { return detail::decode<T>(values_[index]); }

    class iterator {
      public:
        explicit iterator(corinth_value const *value) noexcept : value_(value) {}
        detail::decoded<T> operator*() const noexcept { return detail::decode<T>(*value_); }
        iterator &operator++() noexcept {
            ++value_;
            return *this;
        }
        bool operator!=(iterator other) const noexcept { return value_ != other.value_; }

      private:
        corinth_value const *value_;
    };
    [[nodiscard]] iterator begin() const noexcept { return iterator(values_); }
    [[nodiscard]] iterator end() const noexcept { return iterator(values_ + count_); }

  private:
    corinth_value const *values_;
    size_t count_;
};

/// Where events are sent. Its end interrupts the stream, unless that has ended or there are other references.
template <class T>
class input : public unique<corinth_input> {
  public:
    using unique::unique;
    void send(T value) const { corinth_send(get(), detail::borrowed<T>(std::move(value))); }
    /// False if it would have to wait: nothing was sent then.
    [[nodiscard]] bool try_send(T value) const {
        return corinth_try_send(get(), detail::borrowed<T>(std::move(value)));
    }
    void complete() const noexcept { corinth_end(get(), CORINTH_COMPLETED, nullptr); }
    void interrupt() const noexcept { corinth_end(get(), CORINTH_INTERRUPTED, nullptr); }
    void fail(int32_t code, std::string const &text = {}) const {
        corinth_error const error{code, text.c_str()};
        corinth_end(get(), CORINTH_FAILED, &error);
    }
    /// Another reference to the same input.
    [[nodiscard]] input share() const noexcept { return input(retained()); }
};

template <class T>
class signal : public unique<corinth_signal> {
  public:
    using unique::unique;

    /// - on_value: `void(T const &)`.
    /// - on_end: `void(corinth_end_kind, corinth_error const *)`.
    template <class OnValue, class OnEnd = detail::ignore_end>
    [[nodiscard]] disposable observe(OnValue on_value, OnEnd on_end = {}) const {
        auto const observer = detail::make_observer<T>(std::move(on_value), std::move(on_end));
        return disposable(corinth_observe(get(), &observer));
    }

    /// - on_batch: `void(batch<T>)`.
    /// - within: In nanoseconds.
    template <class OnBatch, class OnEnd = detail::ignore_end>
    [[nodiscard]] disposable observe_batches(
        scheduler const &on, size_t count, int64_t within, OnBatch on_batch, OnEnd on_end = {},
        corinth_buffering const *buffer = nullptr) const {
        using context = detail::callbacks<OnBatch, OnEnd>;
        corinth_batch_observer observer{};
        observer.context = new context{std::move(on_batch), std::move(on_end)};
        observer.values = [](void *c, corinth_value const *values, size_t n) noexcept {
            static_cast<context *>(c)->value(batch<T>(values, n));
        };
        observer.end = [](void *c, corinth_end_kind end, corinth_error const *error) noexcept {
            static_cast<context *>(c)->end(end, error);
        };
        observer.release = detail::destroy<context>;
        return disposable(corinth_observe_batches(get(), on.get(), buffer, count, within, &observer));
    }

    /// - f: `U(T const &)`.
    template <class F>
    [[nodiscard]] auto map(F f) const {
        using U = std::decay_t<std::invoke_result_t<F &, detail::decoded<T>>>;
        return signal<U>(corinth_map(
            get(),
            [](void *c, corinth_value value) noexcept {
                return detail::encode<U>((*static_cast<F *>(c))(detail::decode<T>(value)));
            },
            new F(std::move(f)), detail::destroy<F>));
    }

    /// - f: `bool(T const &)`.
    template <class F>
    [[nodiscard]] signal filter(F f) const {
        return signal(corinth_filter(
            get(),
            [](void *c, corinth_value value) noexcept -> bool { return (*static_cast<F *>(c))(detail::decode<T>(value)); },
            new F(std::move(f)), detail::destroy<F>));
    }

    [[nodiscard]] signal observe_on(scheduler const &on) const {
        return signal(corinth_observe_on(get(), on.get(), nullptr));
    }
    [[nodiscard]] signal observe_on(scheduler const &on, corinth_buffering const &buffer) const {
        return signal(corinth_observe_on(get(), on.get(), &buffer));
    }

    [[nodiscard]] static signal merge(std::vector<signal> const &signals) {
        std::vector<corinth_signal *> handles;
        for (auto const &each : signals) handles.push_back(each.get());
        return signal(corinth_merge(handles.data(), handles.size()));
    }

    /// Another reference to the same signal.
    [[nodiscard]] signal share() const noexcept { return signal(this->retained()); }
};

/// A signal and its input.
template <class T>
[[nodiscard]] std::pair<signal<T>, input<T>> pipe(corinth_buffering const *inbox = nullptr) {
    corinth_input *handle = nullptr;
    auto *output = corinth_pipe(inbox, &handle);
    return {signal<T>(output), input<T>(handle)};
}

/// The lifetime of a start.
class lifetime : public unique<corinth_lifetime> {
  public:
    using unique::unique;
    [[nodiscard]] bool has_ended() const noexcept { return corinth_lifetime_has_ended(get()); }
    /// Takes it over: it is disposed of at the end of the lifetime.
    void add(disposable with) const noexcept {
        corinth_lifetime_add(get(), with.get());
        with.detach();
    }
};

template <class T>
class producer : public unique<corinth_producer> {
  public:
    using unique::unique;

    /// - start: `void(input<T>, lifetime)`, called for each start.
    template <class F, class = std::enable_if_t<std::is_invocable_v<F &, input<T>, lifetime>>>
    explicit producer(F start)
        : unique(corinth_producer_create(
              [](void *c, corinth_input *in, corinth_lifetime *life) noexcept {
                  corinth_retain(in);
                  corinth_retain(life);
                  (*static_cast<F *>(c))(input<T>(in), lifetime(life));
              },
              new F(std::move(start)), detail::destroy<F>)) {}

    /// As `signal::observe`.
    template <class OnValue, class OnEnd = detail::ignore_end>
    [[nodiscard]] disposable start(OnValue on_value, OnEnd on_end = {}) const {
        auto const observer = detail::make_observer<T>(std::move(on_value), std::move(on_end));
        return disposable(corinth_start(get(), &observer));
    }
};

template <class T>
class property : public unique<corinth_property> {
  public:
    using unique::unique;
    explicit property(T initial) : unique(corinth_property_create(detail::borrowed<T>(std::move(initial)))) {}
    [[nodiscard]] T get_value() const {
        auto const value = corinth_property_get(get());
        unique<corinth_owner> const owner(value.owner);
        return detail::decode<T>(value);
    }
    bool set_value(T value) const { return corinth_property_set(get(), detail::borrowed<T>(std::move(value))); }
    /// The current value, then every change.
    [[nodiscard]] producer<T> values() const { return producer<T>(corinth_property_values(get())); }
};

template <class Input, class Output>
class action : public unique<corinth_action> {
  public:
    using unique::unique;

    /// - execute: `producer<Output>(Input const &)`.
    template <class F, class = std::enable_if_t<std::is_invocable_v<F &, detail::decoded<Input>>>>
    explicit action(F execute) : action(nullptr, std::move(execute)) {}
    /// - is_enabled: Borrowed.
    template <class F>
    action(property<bool> const &is_enabled, F execute) : action(is_enabled.get(), std::move(execute)) {}

    /// Executes when it is started.
    [[nodiscard]] producer<Output> apply(Input value) const {
        return producer<Output>(corinth_apply(get(), detail::borrowed<Input>(std::move(value))));
    }

  private:
    template <class F>
    action(corinth_property *is_enabled, F execute)
        : unique(corinth_action_create(
              is_enabled,
              [](void *c, corinth_value value) noexcept -> corinth_producer * {
                  return (*static_cast<F *>(c))(detail::decode<Input>(value)).release();
              },
              new F(std::move(execute)), detail::destroy<F>)) {}
};

}  // namespace corinth

#endif
