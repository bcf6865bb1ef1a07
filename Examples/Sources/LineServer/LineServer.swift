// A TCP server on loopback: connections are producers, and handlers are actors. Lines that aren't handled yet wait in a bounded
// buffer; past its bound, the thread that reads waits, and TCP holds up the client. A handler runs on a queue of its own, so a
// client that doesn't read its answers holds up that queue, and no thread of the tasks' pool. At a shutdown, the lines that
// were read are answered, and no further ones are read.
import Corinth
import Foundation

/// Counts the words of all connections.
actor WordCount {
    private(set) var total = 0

    func add(_ line: String) -> Int {
        total += line.split(separator: " ").count
        return total
    }
}

/// The connections of a listening socket. Each start accepts on a thread of its own.
func connections(of listener: Socket) -> SignalProducer<Socket, Never> {
    SignalProducer { observer, lifetime in
        lifetime.observeEnded { listener.shutDown(.both) }
        Thread.detachNewThread {
            while let connection = listener.blockingAccept() { observer.send(value: connection) }
            observer.sendCompleted()
        }
    }
}

/// The lines that a peer sends, up to a line that is too long. Each start reads on a thread of its own. When it ends, no more
/// can be read.
func lines(from socket: Socket, longest: Int = 65_536) -> SignalProducer<String, Never> {
    SignalProducer { observer, lifetime in
        lifetime.observeEnded { socket.shutDown(.reading) }
        Thread.detachNewThread {
            var pending: [UInt8] = []
            while pending.count <= longest, let bytes = socket.blockingRead() {
                pending += bytes
                while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    observer.send(value: String(decoding: pending[..<end], as: UTF8.self))
                    pending.removeSubrange(...end)
                }
            }
            observer.sendCompleted()
        }
    }
}

/// Serves one connection, on a queue of its own.
actor Handler {
    private nonisolated let scheduler = QueueScheduler(name: "connection")
    private let connection: Socket
    private let words: WordCount

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe scheduler.asUnownedSerialExecutor() }

    init(_ connection: Socket, counting words: WordCount) {
        self.connection = connection
        self.words = words
    }

    /// Answers each line with the number of words so far, until the peer hangs up or the server stops.
    func run(until stop: SignalProducer<Void, Never>) async {
        let lines = lines(from: connection).take(until: stop)
        for await line in lines.values(bufferingPolicy: .blocking(capacity: 8)) {
            connection.blockingWrite("\(await words.add(line)) words")
        }
    }
}

/// Serves connections until `isStopping` is true. Returns when the last handler has ended.
func serve(_ listener: Socket, counting words: WordCount, until isStopping: MutableProperty<Bool>) async {
    let stop = isStopping.producer.filter { $0 }.map { _ in () }
    await withDiscardingTaskGroup { handlers in
        for await connection in connections(of: listener).take(until: stop).values() {
            handlers.addTask { await Handler(connection, counting: words).run(until: stop) }
        }
    }
}

@main
enum LineServer {
    @MainActor static func main() async throws {
        let (listener, port) = try Socket.listening()
        let (words, isStopping) = (WordCount(), MutableProperty(false))
        let server = Task { await serve(listener, counting: words, until: isStopping) }

        for text in ["to be or not to be", "that is the question"] {
            let client = try Socket.connected(to: port)
            client.blockingWrite(text)
            if let answer = await lines(from: client).firstValue() { print("\(text): \(answer)") }
        }

        // The server doesn't wait for a client that stays connected.
        let last = try Socket.connected(to: port)
        last.blockingWrite("whether")
        var answers = lines(from: last).values().makeAsyncIterator()
        print("whether: \(await answers.next() ?? "nothing")")
        isStopping.value = true
        print("the next answer: \(await answers.next() ?? "none, the server has hung up")")
        await server.value
        print("stopped after \(await words.total) words")
    }
}
