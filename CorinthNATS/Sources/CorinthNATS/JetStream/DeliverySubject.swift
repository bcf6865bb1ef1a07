#if NATS
internal import Foundation

/// What the subject to which a delivery is acknowledged says about it:
/// `$JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.consumer sequence.time.pending[.random]`.
///
/// Read once for each delivery, without an allocation.
struct DeliverySubject: Sendable {
    private(set) var deliveries: UInt64 = 0
    private(set) var sequence: UInt64 = 0
    private(set) var consumerSequence: UInt64 = 0
    /// In nanoseconds since 1970.
    private(set) var time: UInt64 = 0

    /// Which bytes are the names of the stream and the consumer.
    private(set) var origin = 0..<0

    /// - Parameter subject: Ends with a zero. What isn't such a subject has zeros.
    @unsafe
    init(_ subject: UnsafePointer<CChar>) {
        var dots = 0
        var place = unsafe subject
        while let found = unsafe strchr(place, DeliverySubject.dot) {
            dots += 1
            unsafe place = UnsafePointer(found) + 1
        }
        // Nine parts without a domain; with one, newer servers add a random part.
        let stream = dots - 6 - (dots > 10 ? 1 : 0)
        guard stream >= 0 else { return }
        unsafe place = subject
        // A dot follows each part that is read, so none is looked for behind the end.
        func skip() { unsafe place = UnsafePointer(strchr(place, DeliverySubject.dot)!) + 1 }
        func number() -> UInt64 {
            let start = unsafe place
            var number: UInt64 = 0
            while true {
                let digit = unsafe UInt64(truncatingIfNeeded: place.pointee) &- 48
                if digit > 9 { break }
                number = number &* 10 &+ digit
                unsafe place += 1
            }
            // So many digits don't overflow.
            let isNumber = unsafe Int32(place.pointee) == DeliverySubject.dot && place - start <= 19
            skip()
            return isNumber ? number : 0
        }
        for _ in 0..<stream { skip() }
        let start = unsafe place - subject
        skip()
        skip()
        origin = unsafe start..<(place - subject - 1)
        deliveries = number()
        sequence = number()
        consumerSequence = number()
        time = number()
    }

    private static let dot = Int32(UInt8(ascii: "."))
}
#endif
