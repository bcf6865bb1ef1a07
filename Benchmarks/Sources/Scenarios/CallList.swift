import BenchmarkKit

/// Observers called one after the other for each event: what `pipe/N` is compared with.
///
/// A closure taken out of an array is retained and released around its call, which takes longer than the call.
/// That would flatter the library, so they stand in boxes here, which the list keeps alive and calls without
/// retaining them.
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
        // Safe: `boxes` keeps every box for as long as the list is there.
        withExtendedLifetime(boxes) {
            for value in 0..<events {
                unsafe borrowed.forEach { box in unsafe box._withUnsafeGuaranteedRef { $0.body(value) } }
            }
        }
    }
}
