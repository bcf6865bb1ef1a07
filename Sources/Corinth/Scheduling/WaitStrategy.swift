/// What a ``ThreadScheduler``'s thread does while it has nothing to do.
///
/// | Strategy | Until it notices an action | What it burns |
/// |---|---|---|
/// | ``busySpin`` | about 100 ns | one core, all of the time |
/// | ``spinThenYield`` | about 100 ns; a time slice if others want the core | one core, as far as nobody else wants it |
/// | ``spinThenPark`` | about 100 ns in the first microseconds, then a wake-up by the system | those microseconds, after each burst |
/// | ``park`` | a wake-up by the system: some microseconds, more on a busy machine | nothing |
///
/// Where there are fewer cores than threads that spin, they take the processor from the very threads that they wait for, and
/// every strategy but ``park`` makes things slower, by whole time slices. The same is so in a virtual machine whose processors
/// are shared.
public enum WaitStrategy: Hashable, Sendable {
    /// Looks again and again, with a processor's pause in between. For a core that nothing else runs on.
    case busySpin

    /// Looks 1,000 times, then gives the rest of its time slice to other threads before each look. A core is never idle with
    /// it, but serves others first.
    case spinThenYield

    /// Looks 1,000 times, which is some 10 to 50 microseconds, then sleeps until it is woken up.
    case spinThenPark

    /// Sleeps at once.
    case park
}
