#if !NaiveLocks
    import Foundation
    import Testing

    /// Graphs of operators keep the laws while threads send, observe, dispose and end at random.
    ///
    /// `Tests/soak graphs` runs more of them. A case that breaks a law is reduced, and printed as the Swift expression that
    /// makes it. What the cases share must have as many references afterwards as before.
    @Suite("Graphs under threads", .serialized)
    struct GraphTests {
        private static let environment = ProcessInfo.processInfo.environment

        private static func number(_ name: String) -> Int? { environment[name].flatMap(Int.init) }

        @Test func `E1 to E7, S3: random graphs under threads keep the laws`() {
            var summary = Summary()
            for seed in 0..<max(5, Int(20 * min(1, Stress.seconds))) where !summary.add(seed: seed) { return }
            #expect(summary.drifts().isEmpty)
            print("graphs: \(summary)")
        }

        /// The environment says from which seed, for how long and with how many threads.
        @Test(.enabled(if: environment["CORINTH_GRAPH_SECONDS"] != nil))
        func soak() {
            let first = Self.number("CORINTH_GRAPH_SEED") ?? 0
            let end = ContinuousClock.now + .seconds(Self.number("CORINTH_GRAPH_SECONDS") ?? 60)
            var summary = Summary(losesReferences: Self.environment["CORINTH_GRAPH_FAULT"] == "references")
            var seed = first
            repeat {
                if !summary.add(seed: seed, threads: Self.number("CORINTH_GRAPH_THREADS")) { return }
                seed += 1
            } while ContinuousClock.now < end
            let drifts = summary.drifts()
            for drift in drifts { print("references: \(drift)") }
            #expect(drifts.isEmpty)
            print("graphs: seeds \(first) to \(seed - 1): \(summary)")
        }

        @Test(arguments: ThreadedFault.allCases)
        func `Seeded bug: each check finds the fault that it is for, and reduces its case`(_ fault: ThreadedFault) {
            let limit = fault == .stall || fault == .leak ? 2 : 300
            for seed in 0..<200 {
                let test = ThreadedCase(seed: seed, threads: 2)
                guard test.isLossless, !test.graph.sources.isEmpty, test.graph.keepsOrder,
                    let violation = ThreadedRun.violation(of: test, fault: fault, stalledAfter: limit),
                    violation.law == fault.law
                else { continue }
                let smallest = test.minimised(
                    breaking: violation.law, fault: fault, attempts: 1, budget: 60, stalledAfter: limit)
                print(
                    "seeded bug: \(fault), seed \(seed), \(violation)\nreduced from \(test.size) to \(smallest.size):\n\(smallest)"
                )
                #expect(smallest.size < test.size)
                return
            }
            Issue.record("no seed finds the fault")
        }

        @Test func `Seeded bug: the audit finds lost references`() {
            var summary = Summary(losesReferences: true)
            let end = ContinuousClock.now + .seconds(10)
            var seed = 0
            var isFound = false
            repeat {
                if !summary.add(seed: seed) { return }
                seed += 1
                let drifts = summary.drifts(within: 1)
                isFound = drifts.contains { $0.name == "a value's token" }
                if isFound { print("seeded bug: references, \(seed) cases, \(drifts)") }
            } while !isFound && ContinuousClock.now < end
            #expect(isFound)
        }

        @Test func `The printed expression makes the case`() {
            let test = ThreadedCase(
                graph: .hop(.queue, .hot(.apply("merge(with:)", [.pipe(0), .apply("map(_:), closure", [.pipe(1)])]))),
                capacity: 2,
                threads: [
                    [.send(3, to: 0), .end(.failed, of: 1), .resend(2, to: 0)],
                    [.observe, .advance(2), .dispose],
                ])
            #expect(
                test.description == """
                    ThreadedCase(
                        graph: .hop(.queue, .hot(.apply("merge(with:)", [.pipe(0), .apply("map(_:), closure", [.pipe(1)])]))),
                        capacity: 2,
                        threads: [
                            [.send(3, to: 0), .end(.failed, of: 1), .resend(2, to: 0)],
                            [.observe, .advance(2), .dispose],
                        ])
                    """)
            #expect(ThreadedRun.violation(of: test) == nil)
        }

        @Test func `A case is reduced to cases that can be built`() throws {
            let onlyForSignals = ThreadedGraph.entries.values.first { $0.producer == nil && $0.signal != nil }
            let name = try #require(onlyForSignals?.testDescription)
            var test = ThreadedCase(seed: 0)
            test.graph = .hot(.apply(name, [.pipe(0)]))
            #expect(test.graph.isPossible(hot: false))
            #expect(!test.graph.children[0].isPossible(hot: false))
            #expect(test.reductions.allSatisfy { $0.graph.isPossible(hot: false) })
        }

        @Test func `A seed always gives the same case, and a range of seeds has every operator`() {
            #expect(ThreadedCase(seed: 7).description == ThreadedCase(seed: 7).description)
            let names = OperatorRegistry.all.indices.flatMap { seed in
                ThreadedCase(seed: seed, threads: 2).graph.operators.map(\.testDescription)
            }
            #expect(Set(names).isSuperset(of: ThreadedGraph.entries.keys))
        }

        /// What was run.
        private struct Summary: CustomStringConvertible {
            private var cases = 0
            private var lossless = 0
            private var operators: Set<String> = []
            private var hops: Set<ThreadedGraph.Hop> = []
            private let surroundings: ThreadedSurroundings
            private var audited: Audited

            /// - Parameter losesReferences: A seeded bug.
            init(losesReferences: Bool = false) {
                surroundings = ThreadedSurroundings(losesReferences: losesReferences)
                audited = surroundings.audited
                audited.begin()
            }

            /// What the cases share and has gained or lost references, when everything has settled.
            func drifts(within seconds: Double = 10) -> [Audited.Drift] {
                audited.settledDrifts(within: seconds) { surroundings.ended.advance() }
            }

            /// Runs the case of a seed. Returns false if it breaks a law.
            mutating func add(seed: Int, threads: Int? = nil) -> Bool {
                let test = ThreadedCase(seed: seed, threads: threads)
                cases += 1
                if test.isLossless { lossless += 1 }
                operators.formUnion(test.graph.operators.map(\.testDescription))
                hops.formUnion(test.graph.hops)
                guard let violation = ThreadedRun.violation(of: test, in: surroundings) else { return true }
                print("seed \(seed) breaks \(violation)\n\(test)")
                let smallest = test.minimised(breaking: violation.law)
                Issue.record(
                    "seed \(seed): \(violation). The smallest case that breaks this law:\n\(smallest)")
                return false
            }

            var description: String {
                "\(cases) cases keep the laws, \(lossless) of them without loss, with \(operators.count) of "
                    + "\(ThreadedGraph.entries.count) operators and \(hops.count) kinds of hops"
            }
        }
    }
#endif
