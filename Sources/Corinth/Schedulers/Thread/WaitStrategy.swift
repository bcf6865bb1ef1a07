/// How a ``ThreadScheduler``'s thread waits for work.
///
/// | Strategy | Until it notices an action | Cost |
/// |---|---|---|
/// | ``busySpin`` | about 100 ns | one core, all the time |
/// | ``spinThenYield`` | about 100 ns; a system wake-up if other threads need the core | one core, while no other thread needs it |
/// | ``spinThenPark`` | about 100 ns in the first microseconds, then a system wake-up | these microseconds, after each burst |
/// | ``park`` | a system wake-up: some microseconds, more on a busy machine | nothing |
///
/// With fewer cores than spinning threads, the spinning threads take the processors from the threads for which they wait. Then
/// ``busySpin`` slows the program down by whole time slices. The same applies to a virtual machine with shared processors. A
/// thread with ``spinThenYield`` or ``spinThenPark`` notices that it was interrupted for more than 300 µs while it spun. Then it
/// checks only 64 times before it sleeps, for 10 ms. After that it spins again. Each time that it is interrupted again, this
/// lasts twice as long, up to 1 s.
///
/// If the thread that it waits for shares its processor, the work comes only after the spinning. After 128 times in a row, a
/// thread with one of these two strategies checks only 64 times before it yields or sleeps, for as long.
public enum WaitStrategy: Hashable, Sendable {
    /// Checks repeatedly, with a processor pause between two checks. For a core that runs nothing else.
    case busySpin

    /// Checks 1,000 times, then yields the time slice before each check. The core is never idle, but other threads run first. If
    /// they do, the thread sleeps until it is woken.
    case spinThenYield

    /// Checks 1,000 times, which takes about 10 to 50 microseconds, then sleeps until it is woken.
    case spinThenPark

    /// Sleeps at once.
    case park
}
