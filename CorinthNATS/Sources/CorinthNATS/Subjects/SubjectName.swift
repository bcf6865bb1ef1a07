#if NATS
internal import Foundation

/// A subject as libnats needs it: a C string that is made once.
@safe
final class SubjectName: @unchecked Sendable {  // Immutable.
    let text: String
    let pointer: UnsafePointer<CChar>

    /// Fails unless a message can be published to the subject.
    init(publishing subject: String) throws(NATSError) {
        try Subject.checkPublishing(subject)
        text = subject
        guard let copy = unsafe strdup(subject) else { preconditionFailure("there is no memory for a subject") }
        unsafe pointer = unsafe UnsafePointer(copy)
    }

    deinit { unsafe free(UnsafeMutablePointer(mutating: pointer)) }
}
#endif
