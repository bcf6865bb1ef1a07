#if Exploration
    /// A step of one thread; steps are numbered from 1.
    struct Moment: Equatable {
        let thread: Int
        let time: UInt32
    }

    /// How many steps of each thread a thread knows, its own included.
    struct VectorClock: Equatable {
        private var times: [UInt32] = []

        subscript(thread: Int) -> UInt32 { thread < times.count ? times[thread] : 0 }

        /// Whether the step at `moment` happened before.
        func knows(_ moment: Moment) -> Bool { self[moment.thread] >= moment.time }

        mutating func join(_ other: VectorClock) {
            grow(to: other.times.count)
            for thread in other.times.indices where times[thread] < other.times[thread] {
                times[thread] = other.times[thread]
            }
        }

        mutating func tick(_ thread: Int) {
            grow(to: thread + 1)
            times[thread] += 1
        }

        /// How many steps of each thread, for C.
        func withTimes(_ body: (UnsafeBufferPointer<UInt32>) -> Void) { unsafe times.withUnsafeBufferPointer(body) }

        private mutating func grow(to count: Int) {
            while times.count < count { times.append(0) }
        }
    }
#endif
