// A TCP server on loopback: connections are producers, and handlers are actors. What isn't handled yet waits in a bounded
// buffer; past its bound, the thread that reads waits, and TCP holds up the client. The shutdown lets each handler finish.
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
        lifetime.observeEnded { listener.shutDown() }
        Thread.detachNewThread {
            while let connection = listener.blockingAccept() { observer.send(value: connection) }
            observer.sendCompleted()
        }
    }
}

/// The lines that a peer sends. Each start reads on a thread of its own.
func lines(from socket: Socket) -> SignalProducer<String, Never> {
    SignalProducer { observer, _ in
        Thread.detachNewThread {
            var pending: [UInt8] = []
            while let bytes = socket.blockingRead() {
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

/// Answers each line with the number of words so far, until the peer hangs up.
func serve(_ connection: Socket, counting words: WordCount) async {
    for await line in lines(from: connection).values(bufferingPolicy: .blocking(capacity: 8)) {
        connection.write("\(await words.add(line)) words")
    }
}

/// Serves connections until `isStopping` is true. Returns when the last handler has ended.
func serve(_ listener: Socket, counting words: WordCount, until isStopping: MutableProperty<Bool>) async {
    let stop = isStopping.producer.filter { $0 }.map { _ in () }
    await withDiscardingTaskGroup { handlers in
        for await connection in connections(of: listener).take(until: stop).values() {
            handlers.addTask { await serve(connection, counting: words) }
        }
    }
}

@main
enum LineServer {
    static func main() async throws {
        let (listener, port) = try Socket.listening()
        let (words, isStopping) = (WordCount(), MutableProperty(false))
        let server = Task { await serve(listener, counting: words, until: isStopping) }

        for text in ["to be or not to be", "that is the question"] {
            let client = try Socket.connected(to: port)
            client.write(text)
            if let answer = await lines(from: client).firstValue() { print("\(text): \(answer)") }
            client.shutDown()
        }

        // A client that is still connected when the server begins to stop gets its answers.
        let last = try Socket.connected(to: port)
        last.write("whether")
        var answers = lines(from: last).values().makeAsyncIterator()
        print("whether: \(await answers.next() ?? "nothing")")
        isStopping.value = true
        last.write("tis nobler")
        print("tis nobler: \(await answers.next() ?? "nothing")")
        last.shutDown()
        await server.value
        print("stopped after \(await words.total) words")
    }
}
