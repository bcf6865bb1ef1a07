// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of corinth.h.

public import CCorinthC
import Corinth

/// A property that C code shares.
enum AnyCProperty: Sendable {
    case mutable(MutableProperty<CValue>)
    case readOnly(Property<CValue>)

}

@c @implementation
public func corinth_property_create(_ initial: corinth_value) -> UnsafeMutablePointer<corinth_property> {
    unsafe UnsafeMutablePointer(handing: .mutable(MutableProperty(CValue(initial, "corinth_property_create"))))
}

@c @implementation
public func corinth_property_get(_ property: UnsafeMutablePointer<corinth_property>) -> corinth_value {
    switch unsafe property.content("corinth_property_get") {
    case .mutable(let property): unsafe property.value.handed
    case .readOnly(let property): unsafe property.value.handed
    }
}

@c @implementation
public func corinth_property_set(_ property: UnsafeMutablePointer<corinth_property>, _ value: corinth_value) -> Bool {
    guard case .mutable(let property) = unsafe property.content("corinth_property_set") else { return false }
    property.value = unsafe CValue(value, "corinth_property_set")
    return true
}

@c @implementation
public func corinth_property_values(
    _ property: UnsafeMutablePointer<corinth_property>
) -> UnsafeMutablePointer<corinth_producer> {
    let values =
        switch unsafe property.content("corinth_property_values") {
        case .mutable(let property): property.producer
        case .readOnly(let property): property.producer
        }
    return unsafe UnsafeMutablePointer(handing: values.promoteError())
}

@c @implementation
public func corinth_action_create(
    _ is_enabled: UnsafeMutablePointer<corinth_property>?,
    _ execute:
        @escaping @convention(c) (UnsafeMutableRawPointer?, corinth_value) -> UnsafeMutablePointer<corinth_producer>?,
    _ context: UnsafeMutableRawPointer?, _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
) -> UnsafeMutablePointer<corinth_action> {
    let execute = unsafe Callback(execute, context, release)
    let producer = { @Sendable (value: CValue) in
        guard let handle = unsafe execute.function(execute.pointer, value.borrowed) else {
            return SignalProducer<CValue, CError>.empty
        }
        let producer = unsafe handle.content("corinth_action_create")
        unsafe corinth_release(handle)
        return producer
    }
    let isEnabled =
        switch unsafe is_enabled?.content("corinth_action_create") {
        case nil: Property(value: true)
        case .mutable(let property): property.map { $0.bits != 0 }
        case .readOnly(let property): property.map { $0.bits != 0 }
        }
    return unsafe UnsafeMutablePointer(handing: Action(enabledIf: isEnabled, execute: producer))
}

@c @implementation
public func corinth_apply(
    _ action: UnsafeMutablePointer<corinth_action>, _ value: corinth_value
) -> UnsafeMutablePointer<corinth_producer> {
    let execution = unsafe action.content("corinth_apply").apply(CValue(value, "corinth_apply"))
    return unsafe UnsafeMutablePointer(
        handing: execution.mapError { error in
            switch error {
            case .disabled: CError.disabled
            case .producerFailed(let error): error
            }
        })
}
