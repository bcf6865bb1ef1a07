internal import CCorinth

extension Inspector {
    /// Watches all threads, until what it returns is disposed of, so that ``Snapshot/deliveries`` names the code that holds a stream for
    /// long: an observer, or a function of an operator. While `perf/top` is connected, the process does so by itself.
    ///
    /// A thread looks at the others once in a millisecond. It reads where each thread is that has been in the same delivery for 5 ms. A
    /// thread that runs then gets the signal `SIGPROF`, unless the program has a handler of its own for it, and one that is blocked gets
    /// none. What doesn't take 5 ms, and a delivery that has sent to another stream meanwhile, isn't seen.
    ///
    /// On systems other than Linux, and in the build on mutexes, nothing is seen.
    ///
    /// - Throws: ``Failure``, if there is no thread to be had.
    /// - Complexity: About 1 % of a processor, and nothing on the threads that send.
    /// ## Concurrency
    /// Any thread.
    public static func watch() throws(Failure) -> any Disposable {
        let error = ccorinth_watch_deliveries()
        guard error == 0 else { throw Failure(action: "watch deliveries", number: error) }
        return AnyDisposable { ccorinth_end_watching() }
    }
}

extension Inspector.Snapshot {
    /// Deliveries that held a stream for long with the same calls in progress, one after the other.
    public struct Delivery: Sendable {
        /// The name of the last one's thread, and its number, as debuggers show them.
        public let thread: String
        public let number: Int

        /// How many there were.
        public let count: Int

        /// How long the longest one took at least, or has taken so far, in nanoseconds: from when it was first seen to when it was last
        /// seen, so up to 2 ms less, if the watching thread was on time.
        public let duration: UInt64

        /// When the last one was seen last: nanoseconds of the monotonic clock; nil if it goes on.
        public let ended: UInt64?

        /// The streams that were held: those that were made while the inspector was on. If several threads deliver, others may be among
        /// them for the first milliseconds.
        public internal(set) var streams: [UInt]

        /// The most values and the most threads, drains and tasks that were seen to wait for them.
        public let values: Int
        public let senders: Int

        /// Where the thread was, and the return addresses of the calls, innermost first; empty if that isn't known. They are looked for
        /// after 5 ms, and again each time when the delivery has taken twice as long: the last ones are told.
        public let frames: [UInt]

        /// Identifies the frames.
        let stack: UInt64

        fileprivate init(_ seen: ccorinth_slow_delivery) {
            var seen = seen
            thread = unsafe withUnsafeBytes(of: &seen.thread) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            number = Int(seen.number)
            count = Int(clamping: seen.count)
            duration = seen.duration
            ended = seen.ended == 0 ? nil : seen.ended
            values = Int(clamping: seen.values)
            senders = Int(clamping: seen.senders)
            stack = seen.stack
            streams = unsafe withUnsafeBytes(of: &seen.streams) {
                unsafe Array($0.bindMemory(to: UInt.self).prefix(Int(seen.stream_count)))
            }
            frames = unsafe withUnsafeBytes(of: &seen.frames) {
                unsafe Array($0.bindMemory(to: UInt.self).prefix(Int(seen.frame_count)))
            }
        }

        static var all: [Delivery] {
            let most = ccorinth_delivery_limit()
            return unsafe withUnsafeTemporaryAllocation(of: ccorinth_slow_delivery.self, capacity: most) { seen in
                guard let start = seen.baseAddress else { return [] }
                let count = unsafe ccorinth_copy_deliveries(start, most)
                return (0..<count).map { unsafe Delivery(seen[$0]) }
            }
        }
    }
}

/// Called by the thread that watches, about a delivery that takes long.
@c(ccorinth_held_streams)
func heldStreams(_ token: UInt64, _ streams: UnsafeMutablePointer<ccorinth_held_stream>, _ most: Int) -> Int {
    Registry.withEntries { entries in
        var count = 0
        var indices: [UInt: Int] = [:]
        func add(_ figures: BufferFigures, to stream: UInt) {
            guard let index = indices[stream] else { return }
            unsafe streams[index].values += figures.depth
            unsafe streams[index].senders += UInt64(figures.waiting)
        }
        for entry in entries where entry.kind == .signal && count < most {
            guard let object = entry.object else { continue }
            let signal = unsafe unsafeDowncast(object, to: SignalState.self)
            guard signal.strand.mayBeOwned(by: token) else { continue }
            let figures = signal.strand.figures
            // It has stopped, and no thread has it.
            if figures.blocker != 0 { continue }
            indices[signal.stream] = count
            unsafe streams[count] = ccorinth_held_stream(stream: signal.stream, values: 0, senders: 0)
            count += 1
            add(figures, to: signal.stream)
        }
        for entry in entries where entry.kind == .hop || entry.kind == .droppingHop {
            guard let hop = entry.object as? any InspectedHop else { continue }
            add(hop.figures, to: unsafe UInt(bitPattern: Unmanaged.passUnretained(hop.strand).toOpaque()))
        }
        return count
    }
}
