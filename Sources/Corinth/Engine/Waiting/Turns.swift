#if !NaiveLocks
    /// Reports events of waiters to the explorer, which checks how often a waiter is passed. Empty in a normal build.
    enum Turns {
        /// A waiter joins the queue.
        @inline(__always)
        static func join(_ waiter: Waiter, _ permits: PermitStateAddress) {
            #if Exploration
                Explorer.turn(.joins(ObjectIdentifier(waiter), batch: permits.pointee.batch), for: permits.bits)
            #endif
        }

        /// A thread takes a permit without joining the queue.
        @inline(__always)
        static func pass(_ permits: PermitStateAddress) {
            #if Exploration
                Explorer.turn(.passes, for: permits.bits)
            #endif
        }

        /// A waiter gets its permit.
        @inline(__always)
        static func serve(_ waiter: Waiter, _ permits: PermitStateAddress) {
            #if Exploration
                Explorer.turn(.served(ObjectIdentifier(waiter)), for: permits.bits)
            #endif
        }

        /// A waiter continues without a permit.
        @inline(__always)
        static func leave(_ waiter: Waiter, _ permits: PermitStateAddress) {
            #if Exploration
                Explorer.turn(.leaves(ObjectIdentifier(waiter)), for: permits.bits)
            #endif
        }
    }
#endif
