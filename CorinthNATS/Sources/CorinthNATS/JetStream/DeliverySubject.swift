#if NATS
/// What the subject to which a delivery is acknowledged says about it:
/// `$JS.ACK.[domain.account.]stream.consumer.deliveries.sequence.consumer sequence.time.pending[.random]`.
///
/// Read once for each delivery, byte by byte.
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
        var (dots, end) = (0, 0)
        while unsafe subject[end] != 0 {
            if unsafe subject[end] == DeliverySubject.dot { dots += 1 }
            end += 1
        }
        // Nine parts without a domain; with one, newer servers add a random part.
        let stream = dots - 6 - (dots > 10 ? 1 : 0)
        guard stream >= 0 else { return }
        var position = 0
        func skip() {
            while position < end, unsafe subject[position] != DeliverySubject.dot { position += 1 }
            position += 1
        }
        func number() -> UInt64 {
            var number: UInt64 = 0
            let start = position
            while position < end, unsafe subject[position] != DeliverySubject.dot {
                let digit = unsafe UInt64(truncatingIfNeeded: subject[position]) &- 48
                let (shifted, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                let (sum, overflows) = shifted.addingReportingOverflow(digit)
                guard digit < 10, !isTooLarge, !overflows else {
                    position = start
                    skip()
                    return 0
                }
                number = sum
                position += 1
            }
            position += 1
            return number
        }
        for _ in 0..<stream { skip() }
        let start = position
        skip()
        skip()
        origin = start..<position - 1
        deliveries = number()
        sequence = number()
        consumerSequence = number()
        time = number()
    }

    private static let dot = CChar(UInt8(ascii: "."))
}
#endif
