import Corinth
import CorinthTesting
import Dispatch
import Testing

struct MarblesTests {
    @Test(arguments: ["", "--a-(bc)--|", "(ab#)", "-[ab]-!", "([ab]c|)", "[|][-](é5[)])#"])
    func readsWhatItWrites(line: String) {
        #expect(Marbles(line).description == line)
    }

    @Test func steps() {
        #expect(Marbles("- a(b|)").steps == [[], [.value("a")], [.value("b"), .completed]])
    }

    /// Lines that aren't marbles, the position of the fault, and a part of the message.
    private static let refused: [(line: String, position: Int, message: String)] = [
        ("a|b", 3, "has \"b\" after the end \"|\""), ("|a", 2, "has \"a\" after the end"),
        ("a-#--", 4, "has \"-\" after"),
        ("a||", 3, "has \"|\" after"), ("(a|#)", 4, "has \"#\" after"), ("!|", 2, "has \"|\" after"),
        ("a| (b)", 4, "has \"(\" after"), ("(a|)[b]", 5, "has \"[\" after"), ("(|b)", 3, "has \"b\" after"),
        ("a-(b", 3, "doesn't close a parenthesis"), ("a)", 2, "closes a parenthesis that isn't open"),
        ("|)", 2, "closes a parenthesis"), ("((a))", 2, "has a parenthesis inside parentheses"),
        ("(a-b)", 3, "has a step inside parentheses"), ("-[a", 2, "doesn't close a bracket"),
        ("(a[b)", 3, "doesn't close a bracket"), ("a]", 2, "closes a bracket that isn't open"),
        ("[a]]", 4, "closes a bracket"), ("[ab-[c]", 5, "has a bracket inside brackets"),
        ("a–b", 2, "has \"–\", which must be in brackets"), ("a^b", 2, "has \"^\""), ("a,b", 2, "has \",\""),
        ("a 👍", 3, "has \"👍\""),
    ]

    /// In every build, the program stops with a message that names the line and the position.
    @Test(arguments: refused.indices)
    func refuses(index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [index] in
            _ = Marbles(MarblesTests.refused[index].line)
        }
        let (line, position, message) = Self.refused[index]
        let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(said.contains("the line of marbles \"\(line)\" \(message)"))
        #expect(said.contains(", at character \(position)\n"))
    }

    /// A recorder's line can be read, whatever the values are.
    @Test func recordedSigns() {
        let recorder = TestScheduler().record(SignalProducer<String, Never>(["|", "-", "a", "👍", ""]))
        #expect(recorder.marbles.description == "([|][-]a[👍][]|)")
        #expect(Marbles(recorder.marbles.description) == recorder.marbles)
    }

    @Test(arguments: ["a-b-(cd)|", "a--#", "--!", "a-b"])
    func playsAndRecords(line: String) {
        let scheduler = TestScheduler()
        let hot = scheduler.record(scheduler.hot(Marbles(line)))
        let cold = scheduler.record(scheduler.cold(Marbles(line)))
        scheduler.advance(by: .seconds(3))
        let late = scheduler.record(scheduler.cold(Marbles(line)))
        scheduler.advance(by: .seconds(20))
        #expect(hot.marbles == Marbles(line))
        #expect(cold.marbles == Marbles(line))
        #expect(late.marbles == Marbles(line))
        for recorder in [hot, cold, late] { recorder.disposable?.dispose() }
    }

    @Test func disposal() {
        let scheduler = TestScheduler()
        let recorder = scheduler.record(scheduler.cold("a-b-c"))
        scheduler.advance(by: .seconds(1))
        recorder.disposable?.dispose()
        #expect(recorder.events == [.value("a"), .interrupted])
        #expect(scheduler.pendingCount == 0)
    }
}
