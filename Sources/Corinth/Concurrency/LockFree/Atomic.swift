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
    /// Reading never waits for a writer, and what you do with the value runs with nothing held. `modify` runs its closure
    /// exactly once, while other changes, but no reads, wait; calling it from inside itself on the same value is an error.
    ///
    /// - Complexity: Of values that fit a word and need no reference counting, reading and setting are one atomic access,
    ///   without allocation. Others are kept in a box: one allocation for each change, and four atomic operations to read.
    ///   Since readers go on with the old value meanwhile, changing a collection in place copies it, O(n).
    public final class Atomic<Value>: @unchecked Sendable {  // Word and cell are atomic.
        /// The value itself, if it is small.
        @usableFromInline var wordStorage: UInt64 = 0
        @usableFromInline var flagStorage: UInt64 = 0

        /// The value, if it isn't.
        @usableFromInline let reference: AtomicReference<Value>?

        /// Makes one of its first value.
        @inlinable
        public init(_ value: Value) {
            if Atomic.isSmall {
                reference = nil
                word.store(Atomic.encode(value), .release)
            } else {
                reference = AtomicReference(value)
            }
        }

        /// Whether values are plain bits that fit a word. Known when the code is specialised.
        @inlinable
        static var isSmall: Bool {
            @inline(__always)
            get { _isPOD(Value.self) && MemoryLayout<Value>.size <= 8 }
        }

        @inlinable
        var word: AtomicWord {
            @inline(__always)
            get { AtomicWord(of: self) }
        }

        @inlinable
        var flag: OwnerFlag {
            @inline(__always)
            get { OwnerFlag(of: self, at: 8) }
        }

        @inlinable @inline(__always)
        static func encode(_ value: Value) -> UInt64 {
            var bits: UInt64 = 0
            // Plain bits that fit, as `isSmall` says.
            unsafe withUnsafeMutableBytes(of: &bits) { unsafe $0.storeBytes(of: value, as: Value.self) }
            return bits
        }

        @inlinable @inline(__always)
        static func decode(_ bits: UInt64) -> Value {
            unsafe withUnsafeBytes(of: bits) { unsafe $0.loadUnaligned(as: Value.self) }
        }

        /// The value. Setting it is a change like ``swap(_:)``; a `modify` in progress counts as done before it.
        @inlinable
        public var value: Value {
            get {
                // acquire: sees what led to the value. Pairs with the release of whoever set it.
                if let reference { reference.load() } else { Atomic.decode(word.load(.acquire)) }
            }
            set {
                guard let reference else {
                    word.store(Atomic.encode(newValue), .release)
                    return
                }
                flag.acquire(for: Atomic<Value>.self)
                let old = reference.exchange(newValue)
                flag.release()
                _ = consume old
            }
        }

        /// Changes the value in place, and returns what the closure returns.
        ///
        /// Where one `modify` is called inside that of another value, every thread must do so in the same order, or two of them
        /// wait for each other. A debug build stops the program then, and says who waits for what.
        ///
        /// - Parameter action: Runs exactly once. What it throws is thrown on; what it changed before is kept.
        @inlinable
        @discardableResult
        public func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result {
            flag.acquire(for: Atomic<Value>.self)
            var old: Value?
            defer {
                flag.release()
                // What was replaced is let go of after this, with nothing held. (A `consume` here releases it twice.)
                withExtendedLifetime(old) {}
            }
            if let reference {
                var value = reference.load()
                defer { old = reference.exchange(value) }
                return try action(&value)
            }
            let seen = word.load(.acquire)
            var value = Atomic.decode(seen)
            // One that fails was overtaken by a plain `value = …`, which is as if it had come right after this change.
            defer { _ = word.compareExchange(seen, Atomic.encode(value), .acquireRelease) }
            return try action(&value)
        }

        /// Gives the value to a closure, with nothing held.
        @inlinable
        @discardableResult
        public func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
            try action(value)
        }

        /// Replaces the value and returns the one that was there.
        @inlinable
        @discardableResult
        public func swap(_ newValue: Value) -> Value {
            flag.acquire(for: Atomic<Value>.self)
            defer { flag.release() }
            if let reference { return reference.exchange(newValue) }
            return Atomic.decode(word.exchange(Atomic.encode(newValue), .acquireRelease))
        }

        /// Replaces the value and returns the one that was there. For whoever holds the flag, of a value that is changed in
        /// no other way than with the flag held.
        @inlinable @inline(__always)
        func exchangeWhileHeld(_ newValue: Value) -> Value {
            if !Atomic.isSmall, let reference { return reference.exchange(newValue) }
            // relaxed: only holders of the flag write. release: pairs with the acquire in `value`.
            let old = word.load(.relaxed)
            word.store(Atomic.encode(newValue), .release)
            return Atomic.decode(old)
        }
    }
#endif
