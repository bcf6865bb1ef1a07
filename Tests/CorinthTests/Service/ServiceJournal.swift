import Corinth
import Foundation

/// An answer of the service, or the end of a connection.
struct ServiceAnswer: Sendable {
    let item: ServiceItem
    let isFailure: Bool

    /// nil for the end of a connection.
    var request: ServiceRequest? { item.event.value }
}

/// The end of the service's main path: checks the answers, and measures how long each took.
final class ServiceJournal: @unchecked Sendable {  // The lock guards the latencies; callbacks of a stream are serial.
    private let laws: ServiceLaws
    private let order: ServiceOrder
    private let lock = NSLock()
    private var latencies = ServiceLatencies()
    private let answers = Atomic(0)

    init(_ laws: ServiceLaws) {
        self.laws = laws
        order = ServiceOrder(laws, "the journal")
    }

    /// How many answers there were.
    var count: Int { answers.value }

    /// The latencies since the last call.
    func takeLatencies() -> ServiceLatencies {
        lock.withLock {
            defer { latencies = ServiceLatencies() }
            return latencies
        }
    }

    func add(_ answer: ServiceAnswer) {
        let link = answer.item.link
        guard let request = answer.request else { return end(link, answer.item.event) }
        order.add(request.number, of: link.id)
        answers.modify { $0 += 1 }
        request.payload.increment()
        let now = DispatchTime.now().uptimeNanoseconds
        lock.withLock { latencies.add(now > request.due ? now - request.due : 0) }
    }

    private func end(_ link: ServiceLink, _ event: Signal<ServiceRequest, ServiceError>.Event) {
        let (count, upToLast) = order.end(link.id)
        // What an interruption drops is the newest.
        let promised = event.isCompleted ? link.sent.value : upToLast
        laws.expect(
            .loss, count == promised && count <= link.sent.value,
            "of connection \(link.id), which has ended with \(event), \(count) requests of \(promised) were answered")
    }
}

/// Durations in buckets, each 3 % wide.
struct ServiceLatencies {
    private static let perDoubling = 32
    private var buckets: [Int: Int] = [:]
    private(set) var count = 0
    private(set) var longest: UInt64 = 0

    mutating func add(_ nanoseconds: UInt64) {
        buckets[ServiceLatencies.bucket(of: nanoseconds), default: 0] += 1
        count += 1
        longest = max(longest, nanoseconds)
    }

    mutating func add(_ other: ServiceLatencies) {
        buckets.merge(other.buckets, uniquingKeysWith: +)
        count += other.count
        longest = max(longest, other.longest)
    }

    private static func bucket(of nanoseconds: UInt64) -> Int {
        Int(log2(Double(max(nanoseconds, 1))) * Double(perDoubling))
    }

    /// The shortest duration that this share of all don't exceed, in nanoseconds. nil if there are none.
    func percentile(_ share: Double) -> Double? {
        if count == 0 { return nil }
        let rank = max(1, Int((Double(count) * share).rounded(.up)))
        var passed = 0
        for (bucket, number) in buckets.sorted(by: { $0.key < $1.key }) {
            passed += number
            if passed >= rank {
                return min(exp2(Double(bucket + 1) / Double(ServiceLatencies.perDoubling)), Double(longest))
            }
        }
        return Double(longest)
    }
}
