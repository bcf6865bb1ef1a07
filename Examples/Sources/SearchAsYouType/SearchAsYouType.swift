import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// A search field: whoever types is not to be asked for at each key, an answer to an old question must never replace one
// to a newer, and a request that fails must not be the end of the search.

enum SearchError: Error, Equatable {
    case unavailable
    case tooSlow
}

/// A library behind a network: it takes half a second to answer, and longer when it is busy.
struct Library: Sendable {
    let scheduler: TestScheduler
    let transcript: Transcript
    let titles = ["Corinth", "Corfu", "Crete", "Cyprus"]

    /// The titles that begin with `text`. Nothing happens until this is started; each start is a request.
    func search(_ text: String) -> SignalProducer<[String], SearchError> {
        let latency = text == "cy" ? 5 : 0.5
        return SignalProducer { () -> Result<[String], SearchError> in
            if text == "cx" { return .failure(.unavailable) }
            return .success(titles.filter { $0.lowercased().hasPrefix(text) })
        }
        .delaySubscription(latency, on: scheduler)
        .on(
            starting: { transcript("request for '\(text)'") },
            interrupted: { transcript("request for '\(text)' is cancelled") })
    }
}

@main
enum SearchAsYouType {
    static func main() {
        let scheduler = TestScheduler()
        let transcript = Transcript(scheduler)
        let library = Library(scheduler: scheduler, transcript: transcript)

        // What the field sends: the whole text, at each key.
        let (texts, field) = Signal<String, Never>.pipe()

        let answers: Signal<Result<[String], SearchError>, Never> =
            texts
            .debounce(0.3, on: scheduler)
            .skipRepeats()
            .filter { $0.count >= 2 }
            .flatMap(.latest) { text in
                library.search(text)
                    .timeout(after: 2, raising: .tooSlow, on: scheduler)
                    // The failure becomes a value, inside: so the outer stream goes on.
                    .materializeResults()
            }

        let shown = Atomic<[Result<[String], SearchError>]>([])
        answers.observeValues { answer in
            shown.modify { $0.append(answer) }
            switch answer {
            case .success(let titles):
                transcript("shows \(titles.isEmpty ? "nothing" : titles.joined(separator: ", "))")
            case .failure(let error): transcript("shows an error: \(error)")
            }
        }

        let keys: [(milliseconds: Int, text: String)] = [
            (0, "c"), (100, "co"), (200, "cor"),  // three keys in a row: one request
            (2000, "corf"), (2400, "cor"), (2450, "corf"),  // changed, and changed back: no further request
            (4000, "cr"), (4400, "crx"),  // the second comes before the answer to the first
            (6000, "cx"),  // fails
            (7000, "cy"),  // takes too long
            (10000, "cr"),  // and all is well again
        ]
        for key in keys {
            scheduler.schedule(after: .milliseconds(key.milliseconds)) {
                transcript("types '\(key.text)'")
                field.send(value: key.text)
            }
        }
        scheduler.advance(by: .seconds(20))
        field.sendCompleted()
        scheduler.advance()

        transcript.check("answers", shown.value.count, is: 6)
        transcript.check("first answer", shown.value.first?.titles ?? [], is: ["Corinth", "Corfu"])
        transcript.check("failures", shown.value.compactMap(\.failure), is: [.unavailable, .tooSlow])
        transcript.check("last answer", shown.value.last?.titles ?? [], is: ["Crete"])
        transcript.check("actions that still wait", scheduler.pendingCount, is: 0)
    }
}

extension Result where Success == [String] {
    fileprivate var titles: Success? { try? get() }

    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
