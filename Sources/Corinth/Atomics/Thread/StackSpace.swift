public import CCorinth

/// Reports a stack overflow before the crash.
@usableFromInline
enum StackSpace {
    /// Called where a chain of operators or of starts nests. In debug builds only.
    @inlinable @inline(__always)
    static func check() {
        #if DEBUG
            require()
        #endif
    }

    /// The same in all builds, for one stage in many, or one that does much: it costs three instructions. What nests between two
    /// of these calls must fit into the space that counts as low.
    @inlinable @inline(__always)
    static func require() {
        if ccorinth_stack_may_be_low() { stopIfLow() }
    }

    @usableFromInline
    @inline(never)
    static func stopIfLow() {
        guard ccorinth_stack_is_low() else { return }
        // Not a precondition, which says nothing in an optimised build.
        fatalError(
            """
            this thread's stack is nearly used up: a chain of operators or a recursion is too deep. Use a thread with a larger \
            stack, or see “Recursion” in Corinth's documentation
            """)
    }
}
