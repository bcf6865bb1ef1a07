#if !NaiveLocks && !Exploration && os(Linux)
    import Foundation

    /// The system call of heavy barriers, and a filter that forbids it.
    enum Membarrier {
        private static let mark = "CORINTH_TEST_MEMBARRIER_FORBIDDEN"

        /// Whether this process was started to run with the call forbidden.
        static var isForbidden: Bool { ProcessInfo.processInfo.environment[mark] != nil }

        #if arch(x86_64)
            private static let numbers = (
                membarrier: 324, seccomp: 317, setAffinity: 203, getAffinity: 204, thread: 186
            )
        #else
            private static let numbers = (
                membarrier: 283, seccomp: 277, setAffinity: 122, getAffinity: 123, thread: 178
            )
        #endif

        /// The C function, which the Swift importer leaves out because its parameters vary.
        private static func call(_ number: Int, _ first: Int, _ second: Int, _ third: Int) -> Int {
            typealias Function = @convention(c) (Int, Int, Int, Int) -> Int
            guard let function = unsafe dlsym(dlopen(nil, RTLD_NOW), "syscall") else {
                fatalError("no function syscall")
            }
            return unsafe unsafeBitCast(function, to: Function.self)(number, first, second, third)
        }

        static var isAllowed: Bool { call(numbers.membarrier, 0, 0, 0) >= 0 }

        /// The number of the calling thread.
        static var thread: Int { call(numbers.thread, 0, 0, 0) }

        /// The processors that a thread may use.
        static func processors(of thread: Int) -> Set<Int> {
            var words = [UInt64](repeating: 0, count: 128)
            let size = words.count * 8
            let written = unsafe words.withUnsafeMutableBytes { bytes in
                call(numbers.getAffinity, thread, size, Int(bitPattern: bytes.baseAddress))
            }
            guard written >= 0 else { fatalError("sched_getaffinity failed") }
            return Set((0..<size * 8).filter { (bit: Int) -> Bool in words[bit / 64] & (UInt64(1) << (bit % 64)) != 0 })
        }

        /// Installs a filter that makes the call fail with EPERM, for this process and the programs that it becomes.
        ///
        /// - Parameter forbidsAffinity: Whether `sched_setaffinity` fails, too.
        static func forbid(forbidsAffinity: Bool = false) {
            typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
            guard let control = unsafe dlsym(dlopen(nil, RTLD_NOW), "prctl") else { fatalError("no function prctl") }
            // PR_SET_NO_NEW_PRIVS
            guard unsafe unsafeBitCast(control, to: Control.self)(38, 1, 0, 0, 0) == 0 else {
                fatalError("prctl failed")
            }
            // Loads the number of the call; returns EPERM for one or two calls, and allows all others.
            let second = forbidsAffinity ? numbers.setAffinity : numbers.membarrier
            var filter: [UInt64] = [
                instruction(0x20, 0, 0, 0),
                instruction(0x15, 1, 0, UInt32(numbers.membarrier)),
                instruction(0x15, 0, 1, UInt32(second)),
                instruction(0x06, 0, 0, 0x0005_0000 | UInt32(EPERM)),
                instruction(0x06, 0, 0, 0x7FFF_0000),
            ]
            unsafe filter.withUnsafeMutableBufferPointer { filter in
                var program: (count: UInt64, address: UInt64) = (
                    UInt64(filter.count), UInt64(UInt(bitPattern: filter.baseAddress))
                )
                unsafe withUnsafePointer(to: &program) { program in
                    // SECCOMP_SET_MODE_FILTER, for all threads
                    guard call(numbers.seccomp, 1, 1, Int(bitPattern: program)) == 0 else {
                        fatalError("seccomp failed")
                    }
                }
            }
        }

        private static func instruction(_ code: UInt16, _ ifTrue: UInt8, _ ifFalse: UInt8, _ operand: UInt32) -> UInt64
        {
            UInt64(code) | UInt64(ifTrue) << 16 | UInt64(ifFalse) << 24 | UInt64(operand) << 32
        }

        /// Becomes this program again, which runs one test.
        static func runAgain(only test: String) -> Never {
            let words = [CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", test]
            var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
            unsafe arguments.append(nil)
            unsafe setenv(mark, "1", 1)
            for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("SWT_") {
                unsafe unsetenv(name)
            }
            unsafe execv("/proc/self/exe", arguments)
            fatalError("the program can't be started again")
        }
    }
#endif
