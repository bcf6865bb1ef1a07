import Corinth

func oldNames(_ numbers: Signal<Int, Never>, _ producer: SignalProducer<Int, Never>) {
    numbers.filterMap { $0 > 0 ? $0 : nil }.observeValues { _ in }  // warning: renamed to 'compactMap'
    producer.filterMap { $0 > 0 ? $0 : nil }.startWithValues { _ in }  // warning: renamed to 'compactMap'
    numbers.logEvents(events: LoggingEvent.Signal.allEvents).observe { _ in }  // warning: Use allCases
    producer.logEvents(events: LoggingEvent.SignalProducer.allEvents).start()  // warning: Use allCases

    numbers.compactMap { $0 > 0 ? $0 : nil }.observeValues { _ in }
    numbers.logEvents(events: Set(LoggingEvent.Signal.allCases)).observe { _ in }
}
