import CAudit
import Foundation

/// Long-lived objects that all threads share, and how many references each of them had at the beginning. Each gets references to
/// spare: an optimised program that loses some would crash otherwise, at some other place and later.
struct Audited {
    private static let spare: UInt32 = 10_000_000

    private var objects: [(name: String, address: UnsafeMutableRawPointer, count: UInt64)] = []

    /// Adds an object, which is never released.
    mutating func add(_ name: String, _ object: AnyObject) {
        let address = Unmanaged.passRetained(object).toOpaque()
        audit_spare(address, Audited.spare)
        objects.append((name, address, 0))
    }

    /// Notes how many references there are now. Nobody else uses the objects meanwhile.
    mutating func begin() {
        for index in objects.indices { objects[index].count = audit_count(objects[index].address) }
    }

    /// The objects that have more or fewer references than at the beginning, and how many.
    var drifts: [(name: String, drift: Int64)] {
        objects.compactMap { object in
            let drift = Int64(bitPattern: audit_count(object.address) &- object.count)
            return drift == 0 ? nil : (object.name, drift)
        }
    }

    /// The same when what still runs on schedulers has ended, at the latest after some seconds.
    func settledDrifts() -> [(name: String, drift: Int64)] {
        let end = ContinuousClock.now + .seconds(10)
        while !drifts.isEmpty, ContinuousClock.now < end { usleep(10_000) }
        return drifts
    }

    var count: Int { objects.count }
}
