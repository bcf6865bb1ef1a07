// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of corinth.h.

public import CCorinthC
import Corinth

@c @implementation
public func corinth_producer_create(
    _ start:
        @escaping @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<corinth_input>, UnsafeMutablePointer<corinth_lifetime>
        ) -> Void,
    _ context: UnsafeMutableRawPointer?, _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_producer> {
    let start = unsafe Callback(start, context, release)
    let producer = SignalProducer<CValue, CError> { input, lifetime in
        let input = unsafe UnsafeMutablePointer<corinth_input>(handing: input)
        let lifetime = unsafe UnsafeMutablePointer<corinth_lifetime>(handing: lifetime)
        unsafe start.function(start.pointer, input, lifetime)
        unsafe corinth_release(lifetime)
        unsafe corinth_release(input)
    }
    return unsafe UnsafeMutablePointer(handing: producer)
}

@c @implementation
public func corinth_start(
    _ producer: UnsafeMutablePointer<corinth_producer>, _ observer: UnsafePointer<corinth_observer>
) -> UnsafeMutablePointer<corinth_disposable> {
    let producer = unsafe producer.content("corinth_start")
    return unsafe UnsafeMutablePointer(handing: producer.start(observer.pointee.observer))
}

@c @implementation
public func corinth_lifetime_has_ended(_ lifetime: UnsafeMutablePointer<corinth_lifetime>) -> Bool {
    unsafe lifetime.content("corinth_lifetime_has_ended").hasEnded
}

@c @implementation
public func corinth_lifetime_add(
    _ lifetime: UnsafeMutablePointer<corinth_lifetime>, _ disposable: UnsafeMutablePointer<corinth_disposable>
) {
    let disposable = unsafe disposable.content("corinth_lifetime_add")
    unsafe lifetime.content("corinth_lifetime_add") += disposable
}

@c @implementation
public func corinth_disposable_create(
    _ dispose: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer?,
    _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_disposable> {
    let dispose = unsafe Callback(dispose, context, release)
    return unsafe UnsafeMutablePointer(handing: AnyDisposable { unsafe dispose.function(dispose.pointer) })
}

@c @implementation
public func corinth_dispose(_ disposable: UnsafeMutablePointer<corinth_disposable>?) {
    unsafe disposable?.content("corinth_dispose").dispose()
}
