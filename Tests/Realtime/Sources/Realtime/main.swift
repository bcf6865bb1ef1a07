import CRealtime
import Corinth
import Foundation

/// Warms up a stream, and then sends values through it while the thread must not allocate, lock or block.
func send(_ name: String, _ sum: Sum, _ value: (Int) -> Void) {
    for number in 0..<100 { value(number) }
    let before = sum.count
    __rtsan_realtime_enter()
    for number in 0..<1_000 { value(number) }
    __rtsan_realtime_exit()
    guard sum.count - before == 1_000 else {
        FileHandle.standardError.write(Data("\(name): \(sum.count - before) of 1000 values arrived\n".utf8))
        exit(1)
    }
    print("\(name): 1000 values without an allocation, a lock or a system call")
}

/// Counts the received values. It is plain memory, because one thread sends.
final class Sum: @unchecked Sendable {  // One thread sends.
    var count = 0
}

typealias Pipe = (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)

/// The fast path: streams that no other thread uses at the same time.
func prove() {
    do {
        let sum = Sum()
        let pipe: Pipe = Signal.pipe()
        pipe.output.observeValues { _ in sum.count += 1 }
        send("pipe", sum) { pipe.input.send(value: $0) }
    }
    do {
        let sum = Sum()
        let pipe: Pipe = Signal.pipe()
        for _ in 0..<9 { pipe.output.observeValues { _ in } }
        pipe.output.observeValues { _ in sum.count += 1 }
        send("pipe with 10 observers", sum) { pipe.input.send(value: $0) }
    }
    do {
        let sum = Sum()
        let pipe: Pipe = Signal.pipe()
        pipe.output.map { $0 + 1 }.filter { $0 > 0 }.map { $0 * 2 }.compactMap { $0 }.scan(0) { $0 &+ $1 }
            .observeValues { _ in sum.count += 1 }
        send("map, filter, map, compactMap, scan", sum) { pipe.input.send(value: $0) }
    }
    do {
        let sum = Sum()
        let pipes = (0..<8).map { _ in Signal<Int, Never>.pipe() }
        Signal.merge(pipes.map(\.output)).observeValues { _ in sum.count += 1 }
        let inputs = pipes.map(\.input)
        send("merge of 8", sum) { inputs[$0 & 7].send(value: $0) }
    }
    do {
        let sum = Sum()
        let left: Pipe = Signal.pipe()
        let right: Pipe = Signal.pipe()
        left.output.combineLatest(with: right.output).observeValues { _ in sum.count += 1 }
        right.input.send(value: 0)
        send("combineLatest of 2", sum) { left.input.send(value: $0) }
    }
}

/// Breaks the rule on purpose. The sanitizer must report it; otherwise the proof proves nothing.
func offend(_ how: String) {
    let sum = Sum()
    let pipe: Pipe = Signal.pipe()
    switch how {
    case "allocate":
        let boxes = Boxes()
        pipe.output.observeValues { value in
            sum.count += 1
            boxes.last = Box(value)
        }
    case "queue":
        // An event that a callback sends is queued in a new node.
        pipe.output.observeValues { value in
            sum.count += 1
            if value == 7 { pipe.input.send(value: -1) }
        }
    case "lock":
        let lock = NSLock()
        pipe.output.observeValues { _ in lock.withLock { sum.count += 1 } }
    case "bias":
        // Another thread has used the signal before. Its bias is taken back with a system call.
        let other = Thread { pipe.input.send(value: 0) }
        other.start()
        while !other.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        __rtsan_realtime_enter()
        pipe.input.send(value: 1)
        __rtsan_realtime_exit()
        exit(0)
    default:
        FileHandle.standardError.write(Data("\(how): unknown argument; use allocate, queue, lock, bias or use\n".utf8))
        exit(2)
    }
    send(how, sum) { pipe.input.send(value: $0) }
}

/// A value on the heap.
final class Box {
    let value: Int

    init(_ value: Int) {
        self.value = value
    }
}

/// Keeps the last box, so that the compiler can't remove the allocation.
final class Boxes: @unchecked Sendable {  // One thread sends.
    var last: Box?
}

__rtsan_ensure_initialized()
switch CommandLine.arguments.dropFirst().first {
case nil:
    prove()
    exit(OperatorProof.succeeds() ? 0 : 1)
case "use":
    guard let index = CommandLine.arguments.last.flatMap({ Int($0) }), OperatorUse.all.indices.contains(index) else {
        FileHandle.standardError.write(Data("use: needs a number from 0 to \(OperatorUse.all.count - 1)\n".utf8))
        exit(2)
    }
    exit(OperatorUse.all[index].run().rawValue)
case let offence?: offend(offence)
}
