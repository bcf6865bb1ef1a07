import Testing

/// A call that stops the process, and a part of its message.
struct Refusal: Sendable {
    let message: String
    let call: @Sendable () async throws -> Void

    init(_ message: String, _ call: @escaping @Sendable () async throws -> Void) {
        self.message = message
        self.call = call
    }
}

extension Optional where Wrapped == ExitTest.Result {
    /// Whether a process stopped with a message that contains this text. An optimised build stops without a message.
    func says(_ text: String) -> Bool {
        guard let self else { return false }
        #if DEBUG
            return String(decoding: self.standardErrorContent, as: UTF8.self).contains(text)
        #else
            return true
        #endif
    }
}
