internal import Corinth

/// Why a stream of bytes couldn't be taken apart.
public enum DecodingFailure<Error: Swift.Error>: Swift.Error {
    /// The source of the bytes failed.
    case sourceFailed(Error)

    /// A line or a frame has more bytes than the limit.
    case tooLong(limit: Int)

    /// The bytes completed in the middle of a frame.
    case truncated
}

extension DecodingFailure: Equatable where Error: Equatable {}

extension DecodingFailure where Error == Never {
    func widened<Wider>() -> DecodingFailure<Wider> {
        switch self {
        case .tooLong(let limit): .tooLong(limit: limit)
        case .truncated: .truncated
        }
    }
}

/// What takes bytes apart that come in chunks, cut anywhere.
protocol ByteDecoder<Output>: Sendable {
    associatedtype Output: Sendable

    /// Decodes what a chunk completes, and keeps the rest of it.
    mutating func decode(_ chunk: [UInt8], into send: (Output) -> Void) throws(DecodingFailure<Never>)

    /// Decodes what is left at the completion.
    mutating func complete(into send: (Output) -> Void) throws(DecodingFailure<Never>)
}

extension Signal where Value == [UInt8] {
    func decoded<Output>(by decoder: some ByteDecoder<Output>) -> Signal<Output, DecodingFailure<Error>> {
        Signal<Output, DecodingFailure<Error>> { observer, lifetime in
            var decoder = decoder
            lifetime += observe { event in
                do throws(DecodingFailure<Never>) {
                    switch event {
                    case .value(let chunk): try decoder.decode(chunk, into: observer.send(value:))
                    case .completed:
                        try decoder.complete(into: observer.send(value:))
                        observer.sendCompleted()
                    case .failed(let error): observer.send(error: .sourceFailed(error))
                    case .interrupted: observer.sendInterrupted()
                    }
                } catch {
                    observer.send(error: error.widened())
                }
            }
        }
    }
}
