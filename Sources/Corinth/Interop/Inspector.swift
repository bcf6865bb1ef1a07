internal import CCorinth
internal import CorinthEssentials

/// Shows which streams a process has, where each was made, what is queued in it, and who waits for whom.
///
/// It is off unless the environment variable `CORINTH_INSPECT` is set when the process starts, or ``start()`` was called. While it is
/// on, each signal, hop, observation, scheduler and start of a producer is entered in a table when it is made, with the return addresses
/// of its maker, and taken out when it ends. Nothing is done for a value.
///
/// ```sh
/// CORINTH_INSPECT=1 .build/release/MyService &
/// perf/top $!
/// ```
///
/// ```swift
/// Inspector.start()
/// // …
/// #expect(Inspector.snapshot().nodes.allSatisfy { $0.depth <= 100 })
/// ```
///
/// See <doc:SeeingInside>. In the build on mutexes, there are no hops and no figures.
public enum Inspector {
    /// Whether objects that are made now are entered. In debug builds it is always on.
    public static var isOn: Bool { Registry.isOn }

    /// Turns it on. Of what was made before, only the streams appear that something observes which is made from now on, and the
    /// schedulers on which hops deliver that are made from now on.
    /// - Complexity: From now on, to make an object takes about half a microsecond longer, and each takes 350 to 700 bytes more.
    /// ## Concurrency
    /// Any thread.
    public static func start() { Registry.turn(on: true) }

    /// Turns it off: what is made from now on doesn't appear. In a debug build, ``LiveObjects`` doesn't count it either.
    /// ## Concurrency
    /// Any thread.
    public static func stop() { Registry.turn(on: false) }

    /// Turns it on, and shows the streams to other processes of the same user, and of root: `perf/top` connects to a Unix socket. A
    /// thread waits there, and takes no time while nobody looks. The same socket answers `GET /metrics` of HTTP with
    /// ``Snapshot/prometheusText``.
    ///
    /// The environment variable `CORINTH_INSPECT` does the same: with `unix:` and a path, or with `1` for the usual path.
    ///
    /// - Parameter path: Where to listen, in at most 107 bytes; nil for `/tmp/corinth-PID.sock`. Must not be there already, unless a
    ///   process left it that is gone.
    /// - Throws: ``Failure``, if the system refuses it, or the process listens elsewhere already.
    /// ## Concurrency
    /// Any thread.
    public static func serve(at path: String? = nil) throws(Failure) {
        try unsafe start("listen at \(path ?? "the usual path")", path) { unsafe ccorinth_serve_snapshots($0) }
    }

    /// Turns it on, and appends a snapshot to a file each time that a signal comes, as a line of ``Snapshot/json``: `perf/top FILE`
    /// shows it. For where nothing can connect, as in a container.
    ///
    /// The environment variable `CORINTH_INSPECT_SIGNAL` does the same: with `USR1`, `USR2`, `HUP`, `QUIT` or a number, and perhaps a
    /// colon and a path.
    ///
    /// - Parameters:
    ///   - signal: Such as `SIGUSR2`. The program must not handle it.
    ///   - path: The file, in at most 4,095 bytes; nil for `/tmp/corinth-PID.json`. It is made if it isn't there, for its owner alone.
    ///     Must be no symbolic link, and no other user's.
    /// - Throws: ``Failure``, if the program handles the signal, or if snapshots are written elsewhere already. If the file can't be
    ///   written later, a line on standard error says why.
    /// ## Concurrency
    /// Any thread. The handler writes a byte to a pipe; a thread of its own does the rest.
    public static func write(on signal: Int32, to path: String? = nil) throws(Failure) {
        try unsafe start("write on signal \(signal)", path) { unsafe ccorinth_write_snapshots(signal, $0) }
    }

    /// Turns it on, if an action succeeds that gets a path.
    private static func start(
        _ action: String, _ path: String?, _ perform: (UnsafePointer<CChar>?) -> Int32
    ) throws(Failure) {
        let error = if let path { unsafe path.withCString { unsafe perform($0) } } else { perform(nil) }
        guard error == 0 else { throw Failure(action: action, number: error) }
        start()
    }

    /// Why the system refuses something.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        let action: String

        /// The system's error number.
        public let number: Int32

        /// Such as `can't listen at /run/x.sock: error 98`.
        public var description: String { "can't \(action): error \(number)" }
    }

    /// What there is now.
    /// - Complexity: O(*n*) for *n* objects: about half a microsecond for each, and as much again for ``Snapshot/json``. Threads that
    ///   make or end an object wait if it lies in the part of the table that is being copied, which is a 64th of it.
    /// ## Concurrency
    /// Any thread. Other threads go on meanwhile, so the figures are of different moments. If the last other reference to a stream goes
    /// meanwhile, its resources are disposed of by the calling thread.
    public static func snapshot() -> Snapshot { Snapshot() }
}

extension Signal {
    /// Gives the stream a name, by which ``Inspector`` shows it: the signal, and those that derive from it or from which it derives
    /// without a strand of their own. Without a name, it shows where the stream was made.
    ///
    /// - Parameter name: Up to 31 bytes of it are kept. Ignored while the inspector is off.
    /// - Returns: This signal.
    @discardableResult
    public func named(_ name: String) -> Signal {
        if Registry.isOn { Registry.name(core.root, name) }
        return self
    }
}

/// Called by the threads that answer.
@c(ccorinth_snapshot_text)
func snapshotText(_ size: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<CChar>? {
    unsafe copy(Inspector.snapshot().encoded, size)
}

/// Called by the thread that listens.
@c(ccorinth_metrics_text)
func metricsText(_ size: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<CChar>? {
    unsafe copy(Array(Inspector.snapshot().prometheusText.utf8), size)
}

/// Memory that the caller frees.
private func copy(_ text: [UInt8], _ size: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<CChar> {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: text.count, alignment: 1)
    unsafe text.withUnsafeBytes { unsafe copy.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count) }
    unsafe size.pointee = text.count
    return unsafe copy.assumingMemoryBound(to: CChar.self)
}
