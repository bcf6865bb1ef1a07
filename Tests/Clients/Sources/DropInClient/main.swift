// A program that was written for ReactiveSwift, with tests of one of its parts. It doesn't mention Corinth.

import Foundation
import ReactiveSwift

/// Uses names that are qualified with the module.
final class Search {
    let query: ReactiveSwift.MutableProperty<String>
    let results: ReactiveSwift.Property<[String]>
    private let (lifetime, token) = ReactiveSwift.Lifetime.make()
    private let scheduler: DateScheduler

    init(scheduler: DateScheduler = QueueScheduler.main, find: @escaping (String) -> SignalProducer<[String], Never>) {
        self.scheduler = scheduler
        query = MutableProperty("")
        results = ReactiveSwift.Property(
            initial: [],
            then: query.producer
                .skip(first: 1)
                .debounce(0.3, on: scheduler)
                .skipRepeats()
                .flatMap(.latest, find)
                .take(during: lifetime))
    }
}

extension ReactiveSwift.Signal where Error == Never {
    func count(into counter: MutableProperty<Int>) -> Disposable? {
        counter <~ scan(0) { count, _ in count + 1 }
    }
}

extension Reactive where Base: Search {
    var isEmpty: Property<Bool> { base.results.map(\.isEmpty) }
}

extension Search: ReactiveExtensionsProvider {}

/// A test that is written with ReactiveSwift's own `TestScheduler`.
func testSearch() {
    let scheduler = TestScheduler()
    var asked: [String] = []
    let search = Search(scheduler: scheduler) { query in
        asked.append(query)
        return SignalProducer(value: [query]).delay(1, on: scheduler)
    }
    var isEmpty: [Bool] = []
    search.reactive.isEmpty.producer.startWithValues { isEmpty.append($0) }

    search.query.value = "c"
    scheduler.advance(by: .milliseconds(100))
    search.query.value = "co"
    scheduler.advance(by: .milliseconds(299))
    precondition(asked.isEmpty)
    scheduler.advance(by: .milliseconds(1))
    precondition(asked == ["co"])
    scheduler.run()
    precondition(search.results.value == ["co"])
    precondition(isEmpty == [true, false])
    precondition(scheduler.currentDate > Date(timeIntervalSinceReferenceDate: 0))
}

func testCount() {
    let (signal, input) = ReactiveSwift.Signal<String, Never>.pipe()
    let counter = MutableProperty(0)
    let disposable = signal.count(into: counter)
    input.send(value: "a")
    input.send(value: "b")
    precondition(counter.value == 2)
    disposable?.dispose()
    input.send(value: "c")
    precondition(counter.value == 2)
}

testSearch()
testCount()
print("A program that was written for ReactiveSwift does what it did.")
