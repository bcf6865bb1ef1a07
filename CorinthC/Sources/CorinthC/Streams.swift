// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of corinth.h.

public import CCorinthC
import Corinth
import Dispatch

@c @implementation
public func corinth_pipe(
    _ inbox: UnsafePointer<corinth_buffering>?, _ input: UnsafeMutablePointer<UnsafeMutablePointer<corinth_input>?>
) -> UnsafeMutablePointer<corinth_signal> {
    let buffering = unsafe Buffering(inbox, "corinth_pipe")
    let pipe = Signal<CValue, CError>.pipe(buffering: buffering.policy, statistics: buffering.statistics)
    unsafe input.pointee = UnsafeMutablePointer(handing: pipe.input)
    return unsafe UnsafeMutablePointer(handing: pipe.output)
}

@c @implementation
public func corinth_send(_ input: UnsafeMutablePointer<corinth_input>, _ value: corinth_value) {
    unsafe input.withContent("corinth_send") { unsafe $0.send(value: CValue(value, "corinth_send")) }
}

@c @implementation
public func corinth_try_send(_ input: UnsafeMutablePointer<corinth_input>, _ value: corinth_value) -> Bool {
    unsafe input.withContent("corinth_try_send") { unsafe $0.trySend(value: CValue(value, "corinth_try_send")) }
}

@c @implementation
public func corinth_end(
    _ input: UnsafeMutablePointer<corinth_input>, _ end: corinth_end_kind, _ error: UnsafePointer<corinth_error>?
) {
    let input = unsafe input.content("corinth_end")
    switch end {
    case CORINTH_COMPLETED: input.sendCompleted()
    case CORINTH_FAILED: unsafe input.send(error: CError(error))
    case CORINTH_INTERRUPTED: input.sendInterrupted()
    default: stop("corinth_end: end is \(end.rawValue), but must be one of corinth_end_kind")
    }
}

@c @implementation
public func corinth_observe(
    _ signal: UnsafeMutablePointer<corinth_signal>, _ observer: UnsafePointer<corinth_observer>
) -> UnsafeMutablePointer<corinth_disposable> {
    let signal = unsafe signal.content("corinth_observe")
    return unsafe UnsafeMutablePointer(handing: signal.observe(observer.pointee.observer) ?? AnyDisposable.over)
}

@c @implementation
public func corinth_map(
    _ signal: UnsafeMutablePointer<corinth_signal>,
    _ map: @escaping @convention(c) (UnsafeMutableRawPointer?, corinth_value) -> corinth_value,
    _ context: UnsafeMutableRawPointer?, _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_signal> {
    let signal = unsafe signal.content("corinth_map")
    let map = unsafe Callback(map, context, release)
    return unsafe UnsafeMutablePointer(
        handing: signal.map { unsafe CValue(consuming: map.function(map.pointer, $0.borrowed)) })
}

@c @implementation
public func corinth_filter(
    _ signal: UnsafeMutablePointer<corinth_signal>,
    _ is_included: @escaping @convention(c) (UnsafeMutableRawPointer?, corinth_value) -> Bool,
    _ context: UnsafeMutableRawPointer?, _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_signal> {
    let signal = unsafe signal.content("corinth_filter")
    let isIncluded = unsafe Callback(is_included, context, release)
    return unsafe UnsafeMutablePointer(
        handing: signal.filter { unsafe isIncluded.function(isIncluded.pointer, $0.borrowed) })
}

@c @implementation
public func corinth_merge(
    _ signals: UnsafePointer<UnsafeMutablePointer<corinth_signal>>, _ count: Int
) -> UnsafeMutablePointer<corinth_signal> {
    let signals = unsafe UnsafeBufferPointer(start: signals, count: count).map { unsafe $0.content("corinth_merge") }
    return unsafe UnsafeMutablePointer(handing: Signal.merge(signals))
}

@c @implementation
public func corinth_observe_on(
    _ signal: UnsafeMutablePointer<corinth_signal>, _ scheduler: UnsafeMutablePointer<corinth_scheduler>,
    _ buffering: UnsafePointer<corinth_buffering>?
) -> UnsafeMutablePointer<corinth_signal> {
    let signal = unsafe signal.content("corinth_observe_on")
    let scheduler = unsafe scheduler.content("corinth_observe_on")
    let buffering = unsafe Buffering(buffering, "corinth_observe_on")
    return unsafe UnsafeMutablePointer(
        handing: signal.observe(on: scheduler, bufferingPolicy: buffering.policy, statistics: buffering.statistics))
}

@c @implementation
public func corinth_observe_batches(
    _ signal: UnsafeMutablePointer<corinth_signal>, _ scheduler: UnsafeMutablePointer<corinth_scheduler>,
    _ buffering: UnsafePointer<corinth_buffering>?, _ count: Int, _ within: Int64,
    _ observer: UnsafePointer<corinth_batch_observer>
) -> UnsafeMutablePointer<corinth_disposable> {
    let signal = unsafe signal.content("corinth_observe_batches")
    let scheduler = unsafe scheduler.dateScheduler("corinth_observe_batches")
    let buffering = unsafe Buffering(buffering, "corinth_observe_batches")
    require(count >= 1, "corinth_observe_batches: count is \(count), but must be at least 1")
    require(within >= 0, "corinth_observe_batches: within is \(within), but must be at least 0")
    let batches =
        signal
        .observe(on: scheduler, bufferingPolicy: buffering.policy, statistics: buffering.statistics)
        .collect(count: count, within: Double(within) / 1e9, on: scheduler)
    return unsafe UnsafeMutablePointer(handing: batches.observe(observer.pointee.observer) ?? AnyDisposable.over)
}

@c @implementation
public func corinth_statistics_create() -> UnsafeMutablePointer<corinth_statistics> {
    unsafe UnsafeMutablePointer(handing: BufferStatistics())
}

@c @implementation
public func corinth_statistics_read(_ statistics: UnsafeMutablePointer<corinth_statistics>) -> corinth_counts {
    let statistics = unsafe statistics.content("corinth_statistics_read")
    return corinth_counts(
        sent: UInt64(max(0, statistics.sent)), delivered: UInt64(statistics.delivered),
        dropped: UInt64(statistics.dropped))
}

extension AnyDisposable {
    /// What is over already.
    fileprivate static let over = {
        let disposable = AnyDisposable()
        disposable.dispose()
        return disposable
    }()
}

extension CError {
    init(_ error: UnsafePointer<corinth_error>?) {
        guard let error = unsafe error?.pointee else {
            self.init(code: 0)
            return
        }
        self.init(code: unsafe error.code, text: unsafe error.text.map { unsafe String(cString: $0) } ?? "")
    }
}

extension corinth_observer {
    var observer: Signal<CValue, CError>.Observer {
        let value = unsafe Callback(self.value, context, release)
        let end = unsafe Callback(self.end, of: value)
        return unsafe Signal<CValue, CError>.observer({ unsafe value.function?(value.pointer, $0.borrowed) }, end)
    }
}

extension corinth_batch_observer {
    var observer: Signal<[CValue], CError>.Observer {
        let values = unsafe Callback(self.values, context, release)
        let end = unsafe Callback(self.end, of: values)
        let receive = { @Sendable (batch: [CValue]) in
            guard let function = unsafe values.function else { return }
            unsafe batch.withUnsafeBytes {
                unsafe function(
                    values.pointer, $0.baseAddress!.assumingMemoryBound(to: corinth_value.self), batch.count)
            }
        }
        return unsafe Signal<[CValue], CError>.observer(receive, end)
    }
}

/// What C code says of a buffer.
private struct Buffering {
    let policy: BufferingPolicy<CError>
    let statistics: BufferStatistics?

    init(_ buffering: UnsafePointer<corinth_buffering>?, _ function: StaticString) {
        guard let buffering = unsafe buffering?.pointee else {
            policy = .blocking(capacity: 16_384)
            statistics = nil
            return
        }
        let kind = unsafe buffering.policy
        let capacity = Int(unsafe buffering.capacity)
        require(capacity >= 1 || kind == CORINTH_UNBOUNDED, "\(function): capacity is 0, but must be at least 1")
        statistics = unsafe buffering.statistics?.content(function)
        let timeout = unsafe buffering.stall_timeout
        switch kind {
        case CORINTH_BLOCK:
            let stallTimeout: DispatchTimeInterval =
                timeout == 0 ? .milliseconds(100) : timeout < 0 ? .never : .nanoseconds(Int(timeout))
            policy = .blocking(capacity: capacity, stallTimeout: stallTimeout)
        case CORINTH_DROP_NEWEST: policy = .dropNewest(capacity: capacity)
        case CORINTH_DROP_OLDEST: policy = .dropOldest(capacity: capacity)
        case CORINTH_FAIL: policy = .failing(capacity: capacity, with: .full)
        case CORINTH_UNBOUNDED: policy = .unbounded
        default: stop("\(function): policy is \(kind.rawValue), but must be one of corinth_policy")
        }
    }
}
