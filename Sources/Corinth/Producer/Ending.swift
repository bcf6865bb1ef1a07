public import CCorinth

/// What follows the end of a source: the next one of a `concat`, the completion of a `merge`.
///
/// It follows when all that the source held has been disposed of, as in ReactiveSwift: first the end, then the disposal, then what
/// follows. Whoever disposes of something after an end says so to the thread, with the run that ends; who has something to do
/// when that run has ended puts it off until then. Nobody else's ends are put off meanwhile.
@usableFromInline
enum Ending {
    /// Where a thread was before.
    @frozen
    @usableFromInline
    @safe struct Outer {
        @usableFromInline let ending: UnsafeMutableRawPointer?
        @usableFromInline let following: UnsafeMutableRawPointer?
        @usableFromInline let isNested: Bool

        @inlinable @inline(__always)
        init(_ thread: ThreadState, isNested: Bool) {
            unsafe ending = unsafe thread.state.pointee.ending
            unsafe following = unsafe thread.state.pointee.following
            self.isNested = isNested
        }
    }

    /// From here to ``end(_:)`` the end of `run` is delivered, and what it holds is disposed of.
    ///
    /// - Parameter upstream: The run whose end this is, if it is delivered by what is upstream of an operator.
    @inlinable @inline(__always)
    static func begin(_ run: ProducerRun, from upstream: ProducerRun? = nil) -> Outer {
        let thread = ThreadState.current
        let address = unsafe run.address
        let ending = unsafe thread.state.pointee.ending
        var isNested = unsafe ending == address
        if let upstream, unsafe ending == upstream.address { isNested = true }
        let outer = Outer(thread, isNested: isNested)
        unsafe thread.state.pointee.ending = address
        if !isNested { unsafe thread.state.pointee.following = nil }
        return outer
    }

    /// It is through. What follows comes now, unless it is still to come around this.
    @inlinable @inline(__always)
    static func end(_ outer: Outer) {
        let state = unsafe ThreadState.current.state
        unsafe state.pointee.ending = outer.ending
        if outer.isNested { return }
        let following = unsafe state.pointee.following
        unsafe state.pointee.following = outer.following
        if unsafe following != nil { unsafe go(on: following) }
    }

    /// Does what follows the end of `run`: now, or when that is through.
    ///
    /// - Parameter work: A closure without captures, so that nothing is allocated unless it is put off.
    @inlinable @inline(__always)
    static func follow<State, Input>(
        _ run: ProducerRun, on state: State, with input: Input, _ work: @escaping (State, Input) -> Void
    ) {
        if unsafe ThreadState.current.state.pointee.ending == run.address {
            putOff { work(state, input) }
        } else {
            work(state, input)
        }
    }

    private final class Following {
        var work: [() -> Void] = []
    }

    @usableFromInline
    @inline(never)
    static func putOff(_ work: @escaping () -> Void) {
        let state = unsafe ThreadState.current.state
        // The thread's own: made here, and taken by ``go(on:)``.
        if let known = unsafe state.pointee.following {
            unsafe Unmanaged<Following>.fromOpaque(known).takeUnretainedValue().work.append(work)
        } else {
            let following = Following()
            following.work.append(work)
            unsafe state.pointee.following = Unmanaged.passRetained(following).toOpaque()
        }
    }

    @usableFromInline
    @inline(never)
    static func go(on following: UnsafeMutableRawPointer?) {
        guard let following = unsafe following else { return }
        // On the trampoline, as ends travel as far up as producers are nested.
        for work in unsafe Unmanaged<Following>.fromOpaque(following).takeRetainedValue().work {
            Trampoline.run(on: work, with: ()) { work, _ in work() }
        }
    }
}
