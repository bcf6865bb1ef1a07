#if Exploration
    import Foundation

    /// The processor that runs all threads of an exploration.
    ///
    /// They run one at a time. On different processors, each change of the thread would wake a processor that sleeps, which
    /// doubles the time of an exploration on a machine of two processors.
    struct Processor: Equatable {
        private let number: Int

        // Looked up by name, because the header that declares them hides them from Swift. Other systems don't have them.
        private typealias Current = @convention(c) () -> CInt
        private typealias Bind = @convention(c) (pid_t, Int, UnsafePointer<UInt64>) -> CInt
        private static let current = unsafe dlsym(dlopen(nil, RTLD_NOW), "sched_getcpu")
            .map { unsafe unsafeBitCast($0, to: Current.self) }
        private static let bind = unsafe dlsym(dlopen(nil, RTLD_NOW), "sched_setaffinity")
            .map { unsafe unsafeBitCast($0, to: Bind.self) }

        /// The processor that ran the first exploration; nil where a thread can't be bound to one.
        static let chosen: Processor? = {
            guard let number = current?(), number >= 0 else { return nil }
            return Processor(number: Int(number))
        }()

        /// Has no effect if the system refuses it.
        func bindCallingThread() {
            var processors = [UInt64](repeating: 0, count: number / 64 + 1)
            processors[number / 64] = 1 << UInt64(number % 64)
            _ = unsafe Processor.bind?(0, processors.count * 8, processors)
        }
    }
#endif
