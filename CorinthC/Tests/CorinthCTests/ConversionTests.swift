import Corinth
import CorinthC
import CorinthTesting
import Dispatch
import Testing

/// What C code and Swift code make of each other's streams.
///
/// The functions of corinth.h are those that C code calls. `Tests/c` tries them from C, with sanitizers.
@Suite struct ConversionTests {
    /// Counts what C functions do, which capture nothing.
    final class Counter: Sendable {
        let values = Atomic<[UInt64]>([])
        let ends = Atomic<[String]>([])
        let releases = Atomic(0)

        static func of(_ context: UnsafeMutableRawPointer?) -> Counter {
            unsafe Unmanaged<Counter>.fromOpaque(context!).takeUnretainedValue()
        }

        var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

        /// An observer of C code's.
        var observer: corinth_observer {
            unsafe corinth_observer(
                context: context,
                value: { context, value in unsafe Counter.of(context).values.modify { unsafe $0.append(value.bits) } },
                end: { context, end, error in
                    let text =
                        unsafe error.map { unsafe "\($0.pointee.code) \(String(cString: $0.pointee.text!))" } ?? ""
                    unsafe Counter.of(context).ends.modify { $0.append("\(end.rawValue) \(text)") }
                },
                release: { context in unsafe Counter.of(context).releases.modify { $0 += 1 } })
        }
    }

    final class Order: Sendable {
        let number: Int
        let deinits: Atomic<Int>
        init(_ number: Int, _ deinits: Atomic<Int>) {
            self.number = number
            self.deinits = deinits
        }
        deinit { deinits.modify { $0 += 1 } }
    }

    @Test func `A signal of Swift is the same object in C, and back`() throws {
        let (signal, input) = Signal<CValue, CError>.pipe()
        let handle = unsafe signal.makeHandle()
        unsafe #expect(Signal(handle) === signal)
        let counter = Counter()
        var observer = unsafe counter.observer
        let observation = unsafe corinth_observe(handle, &observer)
        input.send(value: CValue(bits: 7))
        let inputHandle = unsafe input.makeHandle()
        unsafe #expect(inputHandle.input === input)
        unsafe corinth_send(inputHandle, corinth_value(bits: 8, owner: nil))
        input.send(error: CError(code: 3, text: "three"))
        #expect(counter.values.value == [7, 8])
        #expect(counter.ends.value == ["1 3 three"])
        #expect(counter.releases.value == 1)
        unsafe corinth_release(observation)
        unsafe corinth_release(inputHandle)
        unsafe corinth_release(handle)
    }

    @Test func `A signal of C is observed in Swift`() throws {
        var inputHandle: UnsafeMutablePointer<corinth_input>?
        let handle = unsafe corinth_pipe(nil, &inputHandle)
        let input = try unsafe #require(inputHandle)
        let events = Atomic<[String]>([])
        unsafe Signal(handle).observe { event in
            events.modify { $0.append(event.map(\.bits).description) }
        }
        unsafe corinth_send(input, corinth_value(bits: 1, owner: nil))
        var error = unsafe corinth_error(code: 5, text: nil)
        unsafe corinth_end(input, CORINTH_FAILED, &error)
        #expect(events.value == ["VALUE 1", "FAILED error 5"])
        unsafe corinth_release(handle)
        unsafe corinth_release(input)
    }

    @Test func `An object of Swift lives as long as its values, in C, too`() {
        let deinits = Atomic(0)
        let (signal, input) = Signal<CValue, Never>.pipe()
        let kept = Atomic<CValue?>(nil)
        signal.observeValues { kept.value = $0 }
        input.send(value: CValue(owning: Order(42, deinits)))
        #expect(deinits.value == 0)
        #expect(kept.value?.object(as: Order.self)?.number == 42)
        #expect(kept.value?.object(as: Counter.self) == nil)
        let property = MutableProperty(kept.value!)
        kept.value = nil
        let handle = unsafe property.makeHandle()
        let value = unsafe corinth_property_get(handle)
        property.value = CValue(bits: 0)
        #expect(deinits.value == 0)
        unsafe #expect(value.bits != 0 && value.owner != nil)
        unsafe corinth_release(value.owner)
        #expect(deinits.value == 1)
        unsafe corinth_release(handle)
        #expect(CValue(bits: 1).object(as: Order.self) == nil)
    }

    @Test func `An owner of C is no object of Swift's`() {
        let counter = Counter()
        let owner = unsafe corinth_owner_create(counter.context) { unsafe Counter.of($0).releases.modify { $0 += 1 } }
        let property = MutableProperty(CValue(bits: 0))
        let handle = unsafe property.makeHandle()
        unsafe #expect(corinth_property_set(handle, corinth_value(bits: 9, owner: owner)))
        unsafe corinth_release(owner)
        #expect(property.value.bits == 9)
        #expect(property.value.object(as: Counter.self) == nil)
        #expect(counter.releases.value == 0)
        property.value = CValue(bits: 1)
        #expect(counter.releases.value == 1)
        unsafe #expect(MutableProperty(handle) === property)
        unsafe corinth_release(handle)
    }

    @Test func `A property of Swift is read-only in C, unless it is mutable`() {
        let source = MutableProperty(CValue(bits: 1))
        let handle = unsafe Property(source).makeHandle()
        unsafe #expect(!corinth_property_set(handle, corinth_value(bits: 2, owner: nil)))
        unsafe #expect(MutableProperty(handle) == nil)
        source.value = CValue(bits: 3)
        unsafe #expect(corinth_property_get(handle).bits == 3)
        let values = unsafe corinth_property_values(handle)
        let counter = Counter()
        var observer = unsafe counter.observer
        let start = unsafe corinth_start(values, &observer)
        source.value = CValue(bits: 4)
        #expect(counter.values.value == [3, 4])
        unsafe corinth_dispose(start)
        unsafe corinth_release(start)
        unsafe corinth_release(values)
        unsafe corinth_release(handle)
    }

    @Test func `A producer of Swift is started in C, and one of C in Swift`() {
        let producer = SignalProducer<CValue, CError>([CValue(bits: 1), CValue(bits: 2)])
        let handle = unsafe producer.makeHandle()
        let counter = Counter()
        var observer = unsafe counter.observer
        unsafe corinth_release(corinth_start(handle, &observer))
        #expect(counter.values.value == [1, 2])
        #expect(counter.ends.value == ["0 "])
        let values = unsafe SignalProducer(handle).map(\.bits).collect().single()
        #expect(try! values?.get() == [1, 2])
        unsafe corinth_release(handle)

        let ofC = unsafe corinth_producer_create(
            { _, input, lifetime in
                unsafe corinth_send(
                    input, corinth_value(bits: corinth_lifetime_has_ended(lifetime) ? 0 : 5, owner: nil))
                unsafe corinth_end(input, CORINTH_COMPLETED, nil)
            }, nil, nil)
        let result = unsafe SignalProducer(ofC).map(\.bits).collect().single()
        #expect(try! result?.get() == [5])
        unsafe corinth_release(ofC)
    }

    @Test func `An action of Swift is executed by C, and one of C by Swift`() throws {
        let action = Action<CValue, CValue, CError> { value in
            SignalProducer<CValue, CError>(value: CValue(bits: value.bits * 2))
        }
        let handle = unsafe action.makeHandle()
        unsafe #expect(Action(handle) === action)
        let execution = unsafe corinth_apply(handle, corinth_value(bits: 21, owner: nil))
        let counter = Counter()
        var observer = unsafe counter.observer
        unsafe corinth_release(corinth_start(execution, &observer))
        #expect(counter.values.value == [42])
        unsafe corinth_release(execution)
        unsafe corinth_release(handle)

        let ofC = unsafe corinth_action_create(
            nil,
            { _, value in
                unsafe SignalProducer<CValue, CError>(value: CValue(bits: value.bits + 1)).makeHandle()
            }, nil, nil)
        let results = unsafe Action(ofC).apply(CValue(bits: 1)).map(\.bits).single()
        #expect(try #require(results).get() == 2)
        unsafe corinth_release(ofC)
    }

    @Test func `A scheduler of Swift's runs what C schedules, and has its time`() {
        let scheduler = TestScheduler()
        let handle = unsafe scheduler.makeHandle()
        unsafe #expect(handle.scheduler === scheduler)
        let counter = Counter()
        let now = unsafe corinth_schedule(
            handle, 0, { unsafe Counter.of($0).values.modify { $0.append(1) } }, counter.context,
            { unsafe Counter.of($0).releases.modify { $0 += 1 } })
        #expect(counter.values.value == [])
        scheduler.advance()
        #expect(counter.values.value == [1])
        #expect(counter.releases.value == 1)
        let later = unsafe corinth_schedule(
            handle, 2_000_000_000, { unsafe Counter.of($0).values.modify { $0.append(2) } }, counter.context, nil)
        scheduler.advance(by: .seconds(1))
        #expect(counter.values.value == [1])
        scheduler.advance(by: .seconds(1))
        #expect(counter.values.value == [1, 2])
        unsafe corinth_release(now)
        unsafe corinth_release(later)
        unsafe corinth_release(handle)
    }

    @Test
    func `A scheduler of C's runs what Swift schedules, after a delay and again and again, until it is disposed of`()
        async throws
    {
        let handle = unsafe corinth_scheduler_create(
            { _, task in
                // Any thread, one at a time: the context is a queue.
                let task = UInt(bitPattern: task)
                ConversionTests.loop.async { unsafe corinth_task_run(UnsafeMutablePointer(bitPattern: task)!) }
            }, nil, nil)
        let scheduler = try unsafe #require(handle.scheduler as? any DateScheduler)
        let count = Atomic(0)
        let repetition = scheduler.schedule(after: .milliseconds(1), interval: .milliseconds(1), leeway: .never) {
            count.modify { $0 += 1 }
        }
        while count.value < 3 { await Task.yield() }
        repetition?.dispose()
        ConversionTests.loop.sync {}
        let last = count.value
        try await Task.sleep(for: .milliseconds(20))
        #expect(count.value == last)
        let cancelled = scheduler.schedule { count.modify { $0 = -1 } }
        _ = cancelled
        while count.value != -1 { await Task.yield() }
        unsafe corinth_release(handle)
    }

    private static let loop = DispatchQueue(label: "loop")

    @Test func `A disposable of Swift's is disposed of by C, and one of C's by Swift`() {
        let disposable = AnyDisposable()
        let handle = unsafe disposable.makeHandle()
        unsafe corinth_dispose(handle)
        #expect(disposable.isDisposed)
        unsafe corinth_release(handle)
        let counter = Counter()
        let ofC = unsafe corinth_disposable_create(
            { unsafe Counter.of($0).values.modify { $0.append(1) } }, counter.context
        ) {
            unsafe Counter.of($0).releases.modify { $0 += 1 }
        }
        let lifetime = Lifetime.make()
        unsafe lifetime.lifetime += ofC.disposable
        unsafe corinth_release(ofC)
        lifetime.token.dispose()
        #expect(counter.values.value == [1])
        #expect(counter.releases.value == 1)
    }

    @Test func `The layouts that C code reads`() {
        let (size, stride) = unsafe (MemoryLayout<corinth_value>.size, MemoryLayout<corinth_value>.stride)
        let bits = unsafe MemoryLayout<corinth_value>.offset(of: \.bits)
        #expect(MemoryLayout<CValue>.size == size)
        #expect(MemoryLayout<CValue>.stride == stride)
        #expect(MemoryLayout<CValue>.offset(of: \.bits) == bits)
        #expect(CError.disabled.code == Int32(CORINTH_ERROR_DISABLED))
        #expect(CError.full.code == Int32(CORINTH_ERROR_FULL))
    }
}
