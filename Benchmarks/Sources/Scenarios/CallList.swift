import BenchmarkKit

/// Calls observers one after the other for each event: the direct side of `pipe/N`.
///
/// A closure in an array is retained and released around each call, which costs more than the call. That would favour the
/// library. So the closures are in boxes, which the list keeps alive and calls without retaining.
@safe struct CallList {
    private let boxes: [ObserverBox]
    private let borrowed: [Unmanaged<ObserverBox>]

    init(_ boxes: [ObserverBox]) {
        self.boxes = boxes.map { opaque($0) }
        unsafe borrowed = boxes.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// Calls each observer with each value from 0 to `events` - 1.
    func call(events: Int) {
        if boxes.count == 1 {
            let body = boxes[0].body
            for value in 0..<events { body(value) }
            return
        }
        // Safe: `boxes` keeps every box alive as long as the list exists.
        withExtendedLifetime(boxes) {
            for value in 0..<events {
                unsafe borrowed.forEach { box in unsafe box._withUnsafeGuaranteedRef { $0.body(value) } }
            }
        }
    }
}
