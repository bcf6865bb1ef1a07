import Corinth
import Dispatch

// Properties, actions and bindings in code that the compiler checks for data races.

enum OrderError: Error, Equatable {
    case tooFew
    case soldOut
}

/// State that several threads read and change.
final class Shop: Sendable {
    let stock = MutableProperty(3)
    let wanted = ValidatingProperty<Int, OrderError>(1) { $0 > 0 ? .valid : .invalid(.tooFew) }
    let order: Action<String, Int, OrderError>
    let isOpen: Property<Bool>

    init() {
        let stock = stock
        isOpen = stock.map { $0 > 0 }.skipRepeats()
        order = Action(validated: wanted) { count, _ in
            SignalProducer { () -> Result<Int, OrderError> in
                stock.modify { left -> Result<Int, OrderError> in
                    guard left >= count else { return .failure(.soldOut) }
                    left -= count
                    return .success(left)
                }
            }
        }
    }
}

/// An object that belongs to the main actor.
@MainActor
final class Sign {
    var text = ""
}

func actions() {
    let shop = Shop()
    let left = Atomic<[Int]>([])
    let errors = Atomic<[OrderError]>([])
    shop.order.values.observeValues { value in left.modify { $0.append(value) } }
    shop.order.errors.observeValues { error in errors.modify { $0.append(error) } }

    precondition(shop.order.apply("Ada").first() == .success(2))
    shop.wanted.value = 0
    precondition(shop.wanted.value == 1 && shop.wanted.result.value.error == .tooFew)
    precondition(shop.order.apply("Ada").first() == .failure(.disabled))
    shop.wanted.value = 3
    precondition(shop.order.apply("Grace").first() == .failure(.producerFailed(.soldOut)))
    shop.wanted.value = 2
    shop.order <~ SignalProducer<String, Never>(value: "Grace")
    precondition(left.value == [2, 0] && errors.value == [.soldOut] && !shop.isOpen.value)
}

func bindings() {
    let (signal, observer) = Signal<String, Never>.pipe()
    let name = MutableProperty("")
    let optional = MutableProperty<String?>(nil)
    let absent: MutableProperty<String>? = nil
    let (lifetime, token) = Lifetime.make()
    let lengths = Atomic<[Int]>([])
    let target = BindingTarget<Int>(lifetime: lifetime) { length in lengths.modify { $0.append(length) } }

    let binding = name <~ signal
    optional <~ name
    absent <~ name
    target <~ name.map { $0.count }
    target <~ name.producer.map(\.count).skip(first: 1).take(first: 1)
    observer.send(value: "Ada")
    precondition(name.value == "Ada" && optional.value == "Ada" && lengths.value == [0, 3, 3])
    token.dispose()
    observer.send(value: "Grace")
    binding?.dispose()
    observer.send(value: "Joan")
    precondition(name.value == "Grace" && lengths.value == [0, 3, 3])

    let (echo, input) = Signal<String, Never>.pipe()
    let heard = Atomic("")
    echo.observeValues { heard.value = $0 }
    input <~ name
    precondition(heard.value == "Grace")
}

/// A sign is bound. It is set on the main actor, whoever sends.
@MainActor
func keyPaths() {
    let sign = Sign()
    let (signal, observer) = Signal<String, Never>.pipe()
    sign.reactive[\.text, on: MainActor.self] <~ signal
    observer.send(value: "open")
    precondition(sign.text == "open")
}

extension Sign: ReactiveExtensionsProvider {}

struct Settings {
    @MutableProperty var volume = 5
    @Property var limit: Int

    init() {
        _limit = Property(value: 10)
    }
}

func wrappers() {
    let settings = Settings()
    let volumes = Atomic<[Int]>([])
    settings.$volume.producer.startWithValues { value in volumes.modify { $0.append(value) } }
    settings.volume = 7
    settings.$volume.modify { $0 += 1 }
    settings.$volume.swap(settings.limit)
    precondition(settings.volume == 10 && settings.$limit.value == 10 && volumes.value == [5, 7, 8, 10])
}

func manyThreads() {
    let counter = MutableProperty(0)
    let last = Atomic(0)
    counter.signal.observeValues { last.value = $0 }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<1000 { counter.modify { $0 += 1 } }
    }
    precondition(counter.value == 4000)
    let both = Property.combineLatest(counter, counter.map { $0 % 2 == 0 })
    let sum = counter.zip(with: counter).map { $0 + $1 }
    let all = Property.all(counter.map { $0 > 0 }, counter.map { $0 < 5000 })
    precondition(both.value == (4000, true) && sum.value == 8000 && all.value)
    let nested = MutableProperty(counter.map { $0 })
    precondition(nested.flatten(.latest).value == 4000 && counter.flatMap(.merge) { Property(value: $0) }.value == 4000)
}

@MainActor
func state() {
    actions()
    bindings()
    keyPaths()
    wrappers()
    manyThreads()
}
