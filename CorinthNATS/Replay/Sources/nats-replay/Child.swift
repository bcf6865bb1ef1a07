import BenchmarkKit
import Foundation
import Synchronization

/// What the parent waits for.
enum ChildEvent: Sendable {
    case line(child: Int, Data)
    case ended(child: Int, status: Int32)
    case interrupted
}

/// The events of all children, in their order.
final class ChildEvents: @unchecked Sendable {  // The condition guards the rest.
    private let condition = NSCondition()
    private var events: [ChildEvent] = []
    private var next = 0

    func post(_ event: ChildEvent) {
        condition.withLock {
            events.append(event)
            condition.signal()
        }
    }

    /// The next event; nil if none comes until `date`.
    func wait(until date: Date) -> ChildEvent? {
        condition.withLock {
            while next == events.count { if !condition.wait(until: date) { return nil } }
            defer {
                next += 1
                if next == events.count {
                    events.removeAll(keepingCapacity: true)
                    next = 0
                }
            }
            return events[next]
        }
    }
}

/// A process of this executable, which ends when its input does: also if the parent is killed.
final class Child {
    enum Role: String { case publish, work }

    let role: Role
    let id: Int
    private(set) var isKilled = false
    private let process = Process()
    private let input = Pipe()

    /// - Parameter id: Names it in its events.
    init(_ role: Role, _ job: Job, id: Int, events: ChildEvents) throws {
        self.role = role
        self.id = id
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [role.rawValue, String(decoding: try JSONEncoder().encode(job), as: UTF8.self)]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let (process, reading) = (process, output.fileHandleForReading)
        Thread.detachNewThread {
            var rest = Data()
            while true {
                // What is there, without waiting for more.
                let bytes = reading.availableData
                if bytes.isEmpty { break }
                rest.append(bytes)
                var start = rest.startIndex
                while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                    events.post(.line(child: id, Data(rest[start..<end])))
                    start = end + 1
                }
                rest = Data(rest[start...])
            }
            // What a killed process hasn't ended with a line feed is left out: another one sends it again.
            process.waitUntilExit()
            events.post(.ended(child: id, status: process.terminationStatus))
        }
    }

    /// Ends it as a power cut does.
    func kill() {
        isKilled = true
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Answers the publisher. If it has died meanwhile, the next one asks again.
    func proceed() { try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    static func complain(_ text: String) { BenchmarkTool.complain(text) }
}
