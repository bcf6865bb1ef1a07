import Corinth

func parsed(_ text: String) throws -> Int { Int(text) ?? 0 }

func throwingMap(
    _ texts: Signal<String, Never>, _ producer: SignalProducer<String, Never>, _ latest: Property<String>
) {
    texts.map { try parsed($0) }.observe { _ in }  // warning: This closure throws
    producer.map { try parsed($0) }.start { _ in }  // warning: This closure throws
    _ = latest.map { try parsed($0) }  // warning: This closure throws

    texts.attemptMap { try parsed($0) }.observe { _ in }
    producer.map { $0.count }.map(value: 1).start()
    _ = latest.map(\.count).map { $0 + 1 }
}
