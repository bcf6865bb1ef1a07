public import CCorinth

/// Work that follows the end of a source, for example the next source of a `concat` or the completion of a `merge`.
///
/// The order is that of ReactiveSwift: first the termination, then the disposal of the source's resources, then the
/// following work. A thread that disposes of resources after a termination records the ending run. Work that follows this
/// run is postponed until the disposal is done. Work that follows other runs is not postponed.
@usableFromInline
enum Ending {
    /// The previous state of the thread.
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

    /// Records that this thread delivers the termination of `run` and disposes of its resources, until ``end(_:)``.
    ///
    /// - Parameter upstream: The run that ends, if an operator's upstream delivers the termination.
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

    /// Ends the recording, and runs the postponed work. If the recordings are nested, the outermost one runs it.
    @inlinable @inline(__always)
    static func end(_ outer: Outer) {
        let state = unsafe ThreadState.current.state
        unsafe state.pointee.ending = outer.ending
        if outer.isNested { return }
        let following = unsafe state.pointee.following
        unsafe state.pointee.following = outer.following
        if unsafe following != nil { unsafe go(on: following) }
    }

    /// Runs the work that follows the end of `run`: now, or after the disposal in progress.
    ///
    /// - Parameter work: A closure without captures, so nothing is allocated unless the work is postponed.
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
        // Owned by the thread: made here, and taken by ``go(on:)``.
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
        // On the trampoline: a termination passes through as many levels as producers are nested.
        for work in unsafe Unmanaged<Following>.fromOpaque(following).takeRetainedValue().work {
            Trampoline.run(on: work, with: ()) { work, _ in work() }
        }
    }
}
