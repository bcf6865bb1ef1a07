import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// A search field. It doesn't send a request for each key press. The response to an old request never replaces the response to a
// newer one. A request that fails doesn't end the search.

enum SearchError: Error, Equatable {
    case unavailable
    case tooSlow
}

/// A library behind a network. A response takes half a second, or longer while the library is busy.
struct Library: Sendable {
    let scheduler: TestScheduler
    let transcript: Transcript
    let titles = ["Corinth", "Corfu", "Crete", "Cyprus"]

    /// The titles that begin with `text`. Each start sends a request; without a start, nothing is sent.
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

        // The field emits the whole text at each key press.
        let (texts, field) = Signal<String, Never>.pipe()

        let answers: Signal<Result<[String], SearchError>, Never> =
            texts
            .debounce(0.3, on: scheduler)
            .skipRepeats()
            .filter { $0.count >= 2 }
            .flatMap(.latest) { text in
                library.search(text)
                    .timeout(after: 2, raising: .tooSlow, on: scheduler)
                    // The inner stream turns the failure into a value, so the outer stream continues.
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
            (0, "c"), (100, "co"), (200, "cor"),  // three quick key presses: one request
            (2000, "corf"), (2400, "cor"), (2450, "corf"),  // changed and changed back: no further request
            (4000, "cr"), (4400, "crx"),  // the second request replaces the first
            (6000, "cx"),  // fails
            (7000, "cy"),  // times out
            (10000, "cr"),  // succeeds again
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
