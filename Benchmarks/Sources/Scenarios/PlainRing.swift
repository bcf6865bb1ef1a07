import CScenarioSupport
import Foundation
import Synchronization

/// Vyukov's bounded ring of integers, for several threads that push and one that pops.
@safe
final class PlainRing: @unchecked Sendable {  // The cells' numbers synchronise their values.
    private struct Cell: ~Copyable {
        let number: Atomic<Int>
        var value = 0

        init(_ number: Int) {
            self.number = Atomic(number)
        }
    }

    /// Marks the end of the values.
    static let end = -1

    private let cells: UnsafeMutablePointer<Cell>
    private let mask: Int
    private let tail = Atomic<Int>(0)
    private let padding = (0, 0, 0, 0, 0, 0, 0, 0)

    /// Owned by the thread that pops.
    private var head = 0

    /// - Parameter capacity: A power of two.
    init(capacity: Int) {
        precondition(capacity > 1 && capacity & (capacity - 1) == 0, "\(capacity) is no power of two.")
        mask = capacity - 1
        unsafe cells = .allocate(capacity: capacity)
        for index in 0..<capacity { unsafe (cells + index).initialize(to: Cell(index)) }
    }

    deinit {
        unsafe cells.deinitialize(count: mask + 1)
        unsafe cells.deallocate()
    }

    /// Waits until there is a free cell.
    func push(_ value: Int) {
        var attempts = 0
        var position = tail.load(ordering: .relaxed)
        while true {
            let cell = unsafe cells + position & mask
            let distance = unsafe cell.pointee.number.load(ordering: .acquiring) - position
            if distance == 0 {
                let result = tail.compareExchange(
                    expected: position, desired: position + 1, successOrdering: .relaxed, failureOrdering: .relaxed)
                if result.exchanged {
                    unsafe cell.pointee.value = value
                    unsafe cell.pointee.number.store(position + 1, ordering: .releasing)
                    return
                }
                position = result.original
            } else {
                if distance < 0 { PlainRing.pause(&attempts) }
                position = tail.load(ordering: .relaxed)
            }
        }
    }

    /// Waits for a value.
    func pop() -> Int {
        let cell = unsafe cells + head & mask
        var attempts = 0
        while unsafe cell.pointee.number.load(ordering: .acquiring) != head + 1 { PlainRing.pause(&attempts) }
        let value = unsafe cell.pointee.value
        unsafe cell.pointee.number.store(head + mask + 1, ordering: .releasing)
        head += 1
        return value
    }

    /// Waits like a `ThreadScheduler` that spins and then yields.
    private static func pause(_ attempts: inout Int) {
        if attempts < 1000 { scenario_pause() } else { sched_yield() }
        attempts += 1
    }

    /// Starts a thread that pops values and calls `body`, until ``end``.
    static func serve(_ ring: PlainRing, _ body: @escaping @Sendable (Int) -> Void) {
        start {
            while true {
                let value = ring.pop()
                if value == end { return }
                body(value)
            }
        }
    }

    static func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = "plain ring"
        thread.start()
    }
}
