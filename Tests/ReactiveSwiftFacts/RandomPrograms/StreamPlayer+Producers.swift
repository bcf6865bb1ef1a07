import ReactiveSwift

/// The operators that the rows name, on producers: those that only producers have, and all others through `lift`.
extension StreamPlayer {
    func applying(_ name: String, to source: NumberProducer) throws -> NumberProducer {
        let other = NumberProducer(b.output)
        switch name {
        case "retry": return source.retry(upTo: 1)
        case "retryI": return source.retry(upTo: 1, interval: 1, on: scheduler)
        case "repeat": return source.repeat(2)
        case "concatB": return source.concat(other)
        case "concatV": return source.concat(value: 77)
        case "concatE": return source.concat(error: Failure(number: 4))
        case "prefixB": return source.prefix(other)
        case "prefixV": return source.prefix(value: 66)
        case "thenB": return source.then(other)
        case "mergeP": return NumberProducer.merge([source, other])
        case "replay": return source.replayLazily(upTo: 1)
        case "startOn": return source.start(on: scheduler)
        case "fmeRetry": return source.flatMapError { _ in source.take(first: 1) }
        default:
            // An unknown name must be found now: the closure of `lift` can't throw.
            _ = try applying(name, to: Numbers.never)
            return source.lift { signal in (try? self.applying(name, to: signal)) ?? signal }
        }
    }
}
