internal import CCorinth

extension ThreadScheduler {
    /// What the thread of a scheduler is started with.
    ///
    /// ```swift
    /// let options = ThreadScheduler.Options(scheduling: .fifo(priority: 10), processors: [2, 3])
    /// let engine = try ThreadScheduler(name: "engine", options: options)
    /// ```
    public struct Options: Sendable {
        /// The size of the stack in bytes, from 128 KiB to 1 GiB. 8 MiB, unless set, of which the system takes what is used.
        public var stackSize: Int

        /// How the system schedules the thread.
        public var scheduling: Scheduling

        /// The numbers of the processors on which the thread may run, from 0; empty for all that this process may use. Only Linux
        /// supports this; elsewhere it has no effect.
        public var processors: [Int]

        /// Called on the thread before its first action, for what only the thread can set: its signal mask, or the place of its
        /// memory.
        public var onStart: (@Sendable () -> Void)?

        public init(
            stackSize: Int = 8 << 20, scheduling: Scheduling = .inherited, processors: [Int] = [],
            onStart: (@Sendable () -> Void)? = nil
        ) {
            self.stackSize = stackSize
            self.scheduling = scheduling
            self.processors = processors
            self.onStart = onStart
        }
    }

    /// How the system schedules a thread. All but the first may need a privilege, such as Linux's `CAP_SYS_NICE`.
    ///
    /// A thread with a real-time priority must not spin on the only processor of the thread that it waits for: that one would never
    /// run. Use ``WaitStrategy/park`` there.
    public enum Scheduling: Hashable, Sendable {
        /// As the thread that makes the scheduler.
        case inherited
        /// With the usual policy and a niceness, from −20, which gets most of the processor, to 19. Only Linux has a niceness for
        /// each thread; elsewhere it has no effect.
        case nice(Int)
        /// In real time (`SCHED_FIFO`), before all threads with a lower priority, until it sleeps. From 1 to 99.
        case fifo(priority: Int)
        /// The same in turns with those of the same priority (`SCHED_RR`).
        case roundRobin(priority: Int)
    }

    /// Why the system didn't start a thread with its options.
    public struct StartError: Error, Hashable, CustomStringConvertible {
        /// The system's error number: `EPERM` if this process may not have the scheduling that was asked for, `EAGAIN` if there is no
        /// thread to be had.
        public let code: Int32

        public let description: String
    }

    /// Starts a thread with options, and returns when it has them.
    ///
    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - waiting: How the thread waits for work.
    ///   - capacity: How many actions may be queued, as in ``init(name:waiting:capacity:producers:affinity:)``.
    ///   - producers: Which threads schedule.
    ///   - options: What the thread is started with.
    /// - Throws: If the system doesn't give the thread what the options say. An option that is out of its range stops the program.
    public convenience init(
        name: String = ThreadScheduler.usualName, waiting: WaitStrategy = .spinThenPark, capacity: Int = 1024,
        producers: Producers = .multiple, options: Options
    ) throws(StartError) {
        options.check()
        self.init(name, waiting, capacity, producers, options.onStart)
        let error = Thread.tryStart(named: name, options, loop)
        if error != 0 { throw StartError(code: error, thread: name, options.scheduling) }
    }
}

extension ThreadScheduler.Options {
    fileprivate func check() {
        precondition(
            (128 << 10...1 << 30).contains(stackSize),
            "stackSize is \(stackSize), but must be from 131072 to 1073741824")
        switch scheduling {
        case .inherited: break
        case .nice(let niceness):
            precondition((-20...19).contains(niceness), "the niceness is \(niceness), but must be from -20 to 19")
        case .fifo(let priority), .roundRobin(let priority):
            precondition((1...99).contains(priority), "the priority is \(priority), but must be from 1 to 99")
        }
        for processor in processors { Thread.requireUsable(processor, as: "processors") }
    }
}

extension ThreadScheduler.StartError {
    fileprivate init(code: Int32, thread: String, _ scheduling: ThreadScheduler.Scheduling) {
        self.code = code
        description =
            "the system could not start the thread of the ThreadScheduler “\(thread)” with the scheduling \(scheduling): error \(code)"
    }
}

extension Thread {
    /// Starts a thread that runs a loop.
    ///
    /// - Parameter options: Checked. nil for what a thread usually has; then this doesn't wait for the thread.
    /// - Returns: 0, or the system's error number.
    static func tryStart(named name: String, _ options: ThreadScheduler.Options?, _ loop: ThreadLoop) -> Int32 {
        let context = unsafe Unmanaged.passRetained(loop).toOpaque()
        // Handed over to the thread.
        let run: @convention(c) (UnsafeMutableRawPointer) -> Void = { context in
            unsafe Unmanaged<ThreadLoop>.fromOpaque(context).takeRetainedValue().run()
        }
        let error = unsafe withPointer(to: options) { unsafe ccorinth_start_thread(name, $0, run, context) }
        if error != 0 { unsafe Unmanaged<ThreadLoop>.fromOpaque(context).release() }
        return error
    }

    private static func withPointer<Result>(
        to options: ThreadScheduler.Options?, _ body: (UnsafePointer<ccorinth_thread_options>?) -> Result
    ) -> Result {
        guard let options else { return body(nil) }
        let (scheduling, priority) = options.scheduling.parts
        let processors = options.processors.map { Int32($0) }
        return unsafe processors.withUnsafeBufferPointer { processors in
            var parts = unsafe ccorinth_thread_options(
                stack_size: options.stackSize, scheduling: scheduling, priority: Int32(priority),
                processors: processors.baseAddress, processor_count: processors.count)
            return unsafe body(&parts)
        }
    }

    /// Stops the program unless this process may use a processor.
    static func requireUsable(_ processor: Int, as argument: String) {
        let isUsable = Int32(exactly: processor).map { ccorinth_may_use($0) } ?? false
        precondition(
            isUsable,
            ccorinth_can_bind()
                ? "\(argument) is \(processor), but must be one of the processors that this process may use: \(usable)"
                : "\(argument) is \(processor), but must be at least 0")
    }

    private static var usable: String {
        (0..<1024).filter { ccorinth_may_use($0) }.map { "\($0)" }.joined(separator: ", ")
    }
}

extension ThreadScheduler.Scheduling {
    fileprivate var parts: (ccorinth_scheduling, Int) {
        switch self {
        case .inherited: (ccorinth_inherited, 0)
        case .nice(let niceness): (ccorinth_nice, niceness)
        case .fifo(let priority): (ccorinth_fifo, priority)
        case .roundRobin(let priority): (ccorinth_round_robin, priority)
        }
    }
}
