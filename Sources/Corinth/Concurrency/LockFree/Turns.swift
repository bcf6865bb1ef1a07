#if !NaiveLocks
    /// What happens to those who wait for places, for who explores whether anybody is passed too often. Nothing in a normal
    /// build.
    enum Turns {
        /// A waiter joins the queue.
        @inline(__always)
        static func join(_ waiter: Waiter, _ permits: Permits) {
            #if Exploration
                Explorer.turn(.joins(ObjectIdentifier(waiter), batch: permits.batch), for: permits)
            #endif
        }

        /// A place is taken by who doesn't join the queue.
        @inline(__always)
        static func pass(_ permits: Permits) {
            #if Exploration
                Explorer.turn(.passes, for: permits)
            #endif
        }

        /// A waiter gets its place.
        @inline(__always)
        static func serve(_ waiter: Waiter, _ permits: Permits) {
            #if Exploration
                Explorer.turn(.served(ObjectIdentifier(waiter)), for: permits)
            #endif
        }

        /// A waiter goes on without a place.
        @inline(__always)
        static func leave(_ waiter: Waiter, _ permits: Permits) {
            #if Exploration
                Explorer.turn(.leaves(ObjectIdentifier(waiter)), for: permits)
            #endif
        }
    }
#endif
