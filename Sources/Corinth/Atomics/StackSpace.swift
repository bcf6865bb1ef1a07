internal import CCorinth

/// Reports a stack overflow before the crash. Debug builds only: it costs one call for each stage.
@usableFromInline
enum StackSpace {
    /// Called where a chain of operators or of starts nests.
    @inlinable @inline(__always)
    static func check() {
        assert(
            !isLow,
            """
            this thread's stack is nearly used up: a chain of operators or a recursion is too deep. Use a thread with a larger \
            stack, or see “Recursion” in Corinth's documentation
            """)
    }

    @usableFromInline
    static var isLow: Bool { corinth_stack_is_low() }
}
