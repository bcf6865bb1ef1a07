#if NATS
internal import CCorinth

/// The static probes of this package, in the format of Corinth's. An untraced probe costs a `nop`.
enum NATSProbe {
    /// A message is passed to libnats. The subject identifies the connection.
    @inline(__always)
    static func publish(_ connection: AnyObject) { unsafe ccorinth_probe_publish(address(of: connection)) }

    /// A message has arrived. The subject identifies the subscription.
    @inline(__always)
    static func deliver(_ subscription: AnyObject) { unsafe ccorinth_probe_deliver(address(of: subscription)) }

    /// A delivery is acknowledged, given back or terminated. The subject identifies it.
    @inline(__always)
    static func ack(_ delivery: AnyObject) { unsafe ccorinth_probe_ack(address(of: delivery)) }

    @inline(__always)
    private static func address(of object: AnyObject) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
}
#endif
