import CCorinthCSupport
import Corinth

/// What is known of each handle, if `CORINTH_CHECK_HANDLES=1`.
enum HandleChecks {
    private struct Record {
        /// Keeps the memory, though not the object: so no other handle has its address while the record is there.
        unowned let object: AnyObject

        let name: String

        /// Those of C code.
        var references: Int

        /// Whether it may be used. A handle may while C code has a reference, an owner while it is there: callbacks borrow it.
        var isUsable = true
    }

    /// A class, so that a change of one record doesn't copy all.
    private final class Records: @unchecked Sendable {  // Used in `records.modify` alone.
        var all: [UInt: Record] = [:]

        /// The addresses of handles that may be used no more, the oldest first.
        var ended: [UInt] = []

        var isReporting = false

        func end(_ address: UInt) {
            all[address]?.isUsable = false
            ended.append(address)
            // Half at a time, so that a release is O(1) amortised.
            guard ended.count >= HandleChecks.endedLimit else { return }
            for old in ended.prefix(HandleChecks.endedLimit / 2) { all[old] = nil }
            ended.removeFirst(HandleChecks.endedLimit / 2)
        }
    }

    /// How many handles are remembered after their end. Later uses of those before them aren't found for certain.
    static let endedLimit = 200_000

    private static let records = Atomic(Records())

    /// Notes a handle, of which C code has a reference, or an owner, of which it may have none.
    static func begin(
        _ pointer: UnsafeMutableRawPointer, _ object: AnyObject, _ name: String, references: Int = 0
    ) {
        let address = UInt(bitPattern: pointer)
        let isFirst = records.modify { records in
            records.all[address] = Record(object: object, name: name, references: references)
            defer { records.isReporting = true }
            return !records.isReporting
        }
        if isFirst { ccorinth_at_exit { HandleChecks.report() } }
    }

    /// Ends the process unless a handle of this type may be used.
    ///
    /// - Parameter isReturning: Whether the function that has got it is about to return.
    static func require(
        _ pointer: UnsafeMutableRawPointer, _ name: String, _ function: StaticString, isReturning: Bool = false
    ) {
        if UInt(bitPattern: pointer) == 0 { stop("\(function): this is NULL, but must be a \(name)") }
        let fault = records.modify { unsafe self.fault(pointer, name, in: $0) }
        if let fault { stop("\(function): \(fault)\(isReturning ? " while it was in use by this call" : "")") }
    }

    static func retain(_ pointer: UnsafeMutableRawPointer) {
        let fault = records.modify { records -> String? in
            if let fault = unsafe self.fault(pointer, nil, in: records) { return fault }
            records.all[UInt(bitPattern: pointer)]?.references += 1
            return nil
        }
        if let fault { stop("corinth_retain: \(fault)") }
    }

    static func release(_ pointer: UnsafeMutableRawPointer) {
        let fault = records.modify { records -> String? in
            if let fault = unsafe self.fault(pointer, nil, in: records) { return fault }
            let address = UInt(bitPattern: pointer)
            guard let record = records.all[address] else { return nil }
            guard record.references > 0 else {
                return "this \(record.name) is borrowed: it has no reference to release"
            }
            records.all[address]?.references -= 1
            if record.references == 1, !(record.object is Owner) { records.end(address) }
            return nil
        }
        if let fault { stop("corinth_release: \(fault)") }
    }

    /// An owner is about to be freed.
    static func end(_ pointer: UnsafeMutableRawPointer) {
        records.modify { $0.end(UInt(bitPattern: pointer)) }
    }

    /// What is wrong with a pointer, if anything.
    private static func fault(_ pointer: UnsafeMutableRawPointer, _ name: String?, in records: Records) -> String? {
        guard let record = records.all[UInt(bitPattern: pointer)] else {
            return unsafe "\(pointer) is no handle, or one that was released long ago"
        }
        if let name, record.name != name { return "this is a \(record.name), but must be a \(name)" }
        return record.isUsable ? nil : "this \(record.name) has been released"
    }

    /// Says which handles are left.
    private static func report() {
        var counts: [String: Int] = [:]
        records.modify { records in
            for record in records.all.values where record.references > 0 { counts[record.name, default: 0] += 1 }
        }
        if counts.isEmpty { return }
        let names = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        unsafe ccorinth_print("not released: \(names.joined(separator: ", "))")
    }
}
