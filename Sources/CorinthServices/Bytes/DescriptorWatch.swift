internal import CCorinth
internal import Corinth
internal import Dispatch

enum Direction { case reading, writing }

#if os(Linux) || os(Android)
    /// Tells when a descriptor is ready, by the process's ``Poller``.
    ///
    /// Dispatch has sources for that, but on Linux they aren't up to it: a pipe that is full and has lost its reader keeps
    /// Dispatch's manager busy for ever and tells nobody (seen with Swift 6.3), and so does one that breaks while its source is
    /// suspended.
    ///
    /// Everything but `whenReady` runs on one serial queue.
    final class DescriptorWatch: @unchecked Sendable {  // Owned by the queue.
        private let number: Int32
        private let direction: Direction
        private let whenReady: @Sendable () -> Void

        /// Whose list the descriptor is in; nil before it first waited.
        private var poller: Poller?

        init(
            of number: Int32, for direction: Direction, on queue: DispatchQueue,
            _ whenReady: @escaping @Sendable () -> Void
        ) {
            self.number = number
            self.direction = direction
            self.whenReady = whenReady
        }

        /// Calls `whenReady` once, when the descriptor is ready or broken.
        func begin() throws(SystemError) {
            if let poller { return try poller.watch(number, for: direction, anew: false, self) }
            let poller = try Poller.ofProcess()
            try poller.watch(number, for: direction, anew: true, self)
            self.poller = poller
        }

        /// Stops watching. `isOver` runs when the descriptor may be closed.
        func end(_ isOver: @escaping @Sendable () -> Void) {
            poller?.unwatch(number, self)
            isOver()
        }

        fileprivate func tell() { whenReady() }
    }

    /// Waits for the descriptors of the whole process.
    ///
    /// The list of an `epoll` is itself a descriptor that is ready if one of its own is, and never breaks. Dispatch watches that
    /// one.
    private final class Poller: @unchecked Sendable {  // All fields are constant, and any thread may use `epoll`.
        private static let shared = Atomic<Poller?>(nil)
        private let list: Int32
        private let queue = DispatchQueue(label: "corinth.descriptors", qos: .userInitiated)
        private let source: any DispatchSourceProtocol

        private init(of list: Int32) {
            self.list = list
            source = DispatchSource.makeReadSource(fileDescriptor: list, queue: queue)
            source.setEventHandler { [self] in tellAll() }
            source.activate()
        }

        static func ofProcess() throws(SystemError) -> Poller {
            if let poller = shared.value { return poller }
            let result = shared.modify { poller -> Result<Poller, SystemError> in
                if let poller { return .success(poller) }
                return Result { () throws(SystemError) in
                    try SystemError.check("epoll_create1", ccorinth_epoll_create())
                }
                .map { list in
                    let made = Poller(of: list)
                    poller = made
                    return made
                }
            }
            return try result.get()
        }

        /// Tells the watch once, after that not again before the next call. The first call is one anew.
        func watch(
            _ number: Int32, for direction: Direction, anew isNew: Bool, _ watch: DescriptorWatch
        ) throws(SystemError) {
            let reference = unsafe Unmanaged.passUnretained(watch)
            try SystemError.check(
                "epoll_ctl",
                unsafe ccorinth_epoll_watch(list, number, direction == .reading, isNew, reference.toOpaque()))
            if isNew { _ = unsafe reference.retain() }
        }

        func unwatch(_ number: Int32, _ watch: DescriptorWatch) {
            let reference = unsafe Unmanaged.passUnretained(watch)
            ccorinth_epoll_unwatch(list, number)
            // Not while the queue may be about to tell it.
            let address = unsafe UInt(bitPattern: reference.toOpaque())
            queue.async {
                unsafe Unmanaged<DescriptorWatch>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).release()
            }
        }

        /// On the queue.
        private func tellAll() {
            unsafe withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 64) { watches in
                // If there are more, the source fires again.
                let count = unsafe Int(ccorinth_epoll_ready(list, watches.baseAddress))
                for index in 0..<count {
                    unsafe Unmanaged<DescriptorWatch>.fromOpaque(watches[index]!).takeUnretainedValue().tell()
                }
            }
        }
    }
#else
    /// Tells when a descriptor is ready, by a Dispatch source.
    ///
    /// Everything runs on one serial queue.
    final class DescriptorWatch: @unchecked Sendable {  // Owned by the queue.
        private let source: any DispatchSourceProtocol

        /// Otherwise the source is suspended: it would fire again and again.
        private var isWaiting = false

        init(
            of number: Int32, for direction: Direction, on queue: DispatchQueue,
            _ whenReady: @escaping @Sendable () -> Void
        ) {
            source =
                switch direction {
                case .reading: DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
                case .writing: DispatchSource.makeWriteSource(fileDescriptor: number, queue: queue)
                }
            // Dispatch releases the handlers when the source has been cancelled.
            source.setEventHandler { [self] in
                source.suspend()
                isWaiting = false
                whenReady()
            }
        }

        /// Calls `whenReady` once, when the descriptor is ready or broken.
        func begin() throws(SystemError) {
            if isWaiting { return }
            isWaiting = true
            source.resume()
        }

        /// Stops watching. `isOver` runs when the descriptor may be closed.
        func end(_ isOver: @escaping @Sendable () -> Void) {
            source.setCancelHandler(handler: isOver)
            source.cancel()
            // Otherwise its handler would never run.
            if !isWaiting { source.resume() }
        }
    }
#endif
