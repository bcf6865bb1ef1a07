import CSeeds
import Corinth

/// Faults that Tests/optimised must find.
public final class Object {}

/// seed: nonatomic
@inline(never)
public func retainUnshared(_ object: Object) {
    seed_retain_unshared(Unmanaged.passUnretained(object).toOpaque())
}

/// seed: entry-point
@inline(never)
public func retainTwice(_ object: Object) {
    seed_retain_twice(Unmanaged.passUnretained(object).toOpaque())
}

/// seed: publication
@inline(never)
public func publish(_ object: Object, _ word: UnsafeMutablePointer<UInt64>) {
    let address = Unmanaged.passRetained(object).toOpaque()
    seed_publish(word, UInt64(UInt(bitPattern: address)))
}

/// seed: publication
@inline(never)
public func publishAndClear(_ object: Object, _ word: UnsafeMutablePointer<UInt64>, _ memory: UnsafeMutableRawPointer) {
    let address = Unmanaged.passRetained(object).toOpaque()
    seed_publish_and_clear(word, UInt64(UInt(bitPattern: address)), memory)
}

/// An operator that allocates for each value.
public enum Boxing {
    public final class Box {
        let value: Int

        init(_ value: Int) { self.value = value }
    }

    /// seed: value-path
    @inline(never)
    public static func kernel(into next: @escaping (Box) -> Void) -> (Int) -> Void { { next(Box($0)) } }
}
