#if !NaiveLocks
    /// A value that any thread may read and change.
    ///
    /// ```swift
    /// let hits = Atomic(0)
    /// hits.modify { $0 += 1 }
    /// print(hits.value)
    /// ```
    ///
    /// ## Concurrency
    /// Reads never wait for writers. Your code uses the value with no lock held. `modify` runs its closure exactly once.
    /// Other changes wait meanwhile; reads don't. Calling `modify` inside itself on the same value is an error.
    ///
    /// - Complexity: If the value fits a word and has no reference counting, a read or a set is one atomic access without
    ///   allocation. Other values lie in a box: each change allocates once, and a read costs four atomic operations. Readers
    ///   keep the old value meanwhile, so changing a collection in place copies it, O(n).
    public final class Atomic<Value>: @unchecked Sendable {  // The word and the cell are atomic.
        /// The value, if it is small.
        @usableFromInline let word = AtomicWord()
        @usableFromInline let flag = BiasedFlag()

        /// The value, if it isn't small.
        @usableFromInline let reference: AtomicReference<Value>?

        /// Creates one with an initial value.
        @inlinable
        public init(_ value: Value) {
            if Atomic.isSmall {
                reference = nil
                // relaxed: no other thread has this object yet.
                word.store(Atomic.encode(value), .relaxed)
            } else {
                reference = AtomicReference(value)
            }
        }

        /// Whether values are plain bits that fit a word. Known at specialisation.
        @inlinable
        static var isSmall: Bool {
            @inline(__always)
            get { _isPOD(Value.self) && MemoryLayout<Value>.size <= 8 }
        }

        @inlinable @inline(__always)
        static func encode(_ value: Value) -> UInt64 {
            var bits: UInt64 = 0
            // Safe: `isSmall` guarantees plain bits that fit.
            unsafe withUnsafeMutableBytes(of: &bits) { unsafe $0.storeBytes(of: value, as: Value.self) }
            return bits
        }

        @inlinable @inline(__always)
        static func decode(_ bits: UInt64) -> Value {
            unsafe withUnsafeBytes(of: bits) { unsafe $0.loadUnaligned(as: Value.self) }
        }

        /// The value. Setting it is a change like ``swap(_:)``. It is ordered after a `modify` in progress.
        @inlinable
        public var value: Value {
            get {
                // acquire: sees all writes before the value was set. Pairs with the setter's release.
                if let reference { reference.load() } else { Atomic.decode(word.load(.acquire)) }
            }
            set {
                guard let reference else {
                    word.store(Atomic.encode(newValue), .release)
                    return
                }
                let held = flag.acquire(for: Atomic<Value>.self)
                let old = reference.exchange(newValue)
                flag.release(held)
                _ = consume old
            }
        }

        /// Changes the value in place, and returns what the closure returns.
        ///
        /// If you nest calls of `modify` on several values, every thread must nest them in the same order. Otherwise threads
        /// deadlock. A debug build detects this, stops the program and names the waiting threads.
        ///
        /// - Parameter action: Runs exactly once. If it throws, the error is rethrown and the changes made before are kept.
        @inlinable
        @discardableResult
        public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
            let change = beginChange()
            var old: Value?
            do {
                let result = try modify(&old, action)
                end(change, releasing: old)
                return result
            } catch {
                end(change, releasing: old)
                throw error
            }
        }

        @inlinable @inline(__always)
        func modify<Result>(_ old: inout Value?, _ action: (inout Value) throws -> Result) rethrows -> Result {
            if let reference {
                var value = reference.load()
                defer { old = reference.exchange(value) }
                return try action(&value)
            }
            let seen = word.load(.acquire)
            var value = Atomic.decode(seen)
            // If this fails, a plain `value = …` intervened. It counts as if it had come right after this change.
            defer { _ = word.compareExchange(seen, Atomic.encode(value), .acquireRelease) }
            return try action(&value)
        }

        @inlinable @inline(__always)
        func beginChange() -> HeldChange {
            // Those for whom a send would wait may wait for the flag.
            HeldChange(flag: flag.acquire(for: Atomic<Value>.self), holding: ThreadState.beginHolding())
        }

        @inlinable @inline(__always)
        func end(_ change: consuming HeldChange, releasing old: Value?) {
            flag.release(change.flag)
            ThreadState.endHolding(change.holding)
            // The old value is released after this, with no lock held. (A `consume` here releases it twice.)
            withExtendedLifetime(old) {}
            Strand.waitForDeferred()
        }

        /// Passes the value to a closure, with no lock held.
        @inlinable
        @discardableResult
        public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
            try action(value)
        }

        /// Replaces the value and returns the old one.
        @inlinable
        @discardableResult
        public func swap(_ newValue: Value) -> Value {
            let held = flag.acquire(for: Atomic<Value>.self)
            let old =
                if let reference {
                    reference.exchange(newValue)
                } else {
                    Atomic.decode(word.exchange(Atomic.encode(newValue), .acquireRelease))
                }
            flag.release(held)
            return old
        }

        /// Replaces the value and returns the old one. Every other change of this value must hold the flag too.
        @inlinable @inline(__always)
        func exchange(_ newValue: Value, _ held: borrowing Held) -> Value {
            if !Atomic.isSmall, let reference { return reference.exchange(newValue) }
            // relaxed: only holders of the flag write. release: pairs with the acquire in `value`.
            let old = word.load(.relaxed)
            word.store(Atomic.encode(newValue), .release)
            return Atomic.decode(old)
        }
    }

    /// A change that holds a flag while user code runs, which must not wait.
    @frozen
    @usableFromInline
    struct HeldChange: ~Copyable {
        @usableFromInline let flag: Held
        @usableFromInline let holding: Holding

        @inlinable @inline(__always)
        init(flag: consuming Held, holding: consuming Holding) {
            self.flag = flag
            self.holding = holding
        }
    }
#endif
