#if !NaiveLocks
    @testable import Corinth
    import Testing

    /// Every stage of a dropping mailbox, and each transition.
    @Suite("DrainStage")
    struct DrainStageTests {
        /// A post, the look of a drain, and the end of a drain. A mailbox that is idle has no drain.
        private static let transitions: [Transition<DrainStage>] = [
            { _ in .renewed },
            { $0 == .idle ? nil : .scheduled },
            { $0.finishing() },
        ]

        private static let everyStage = reachable(from: .idle, by: transitions)

        @Test func `There are three stages`() {
            #expect(Set(Self.everyStage.map(\.bits)) == Set([DrainStage.idle, .scheduled, .renewed].map(\.bits)))
        }

        @Test(arguments: everyStage)
        func `A drain ends only if nothing was posted since it looked`(stage: DrainStage) {
            #expect(stage.finishing() == (stage == .scheduled ? .idle : nil))
        }

        /// A post that finds the mailbox idle schedules a drain. The last look of a drain comes after the last post.
        @Test func `There is one drain at a time, and it sees every post`() {
            // The stage, whether there is a drain, and whether something was posted since a drain looked.
            struct Model: Hashable {
                var stage: UInt64 = 0
                var hasDrain = false
                var hasNews = false
            }
            var known: Set<Model> = [Model()]
            var rest = Array(known)
            while let model = rest.popLast() {
                let stage = DrainStage(bits: model.stage)
                #expect(model.hasDrain == (stage != .idle))
                #expect(!model.hasNews || stage == .renewed)
                var next = [Model(stage: DrainStage.renewed.bits, hasDrain: true, hasNews: true)]
                if model.hasDrain {
                    next.append(Model(stage: DrainStage.scheduled.bits, hasDrain: true, hasNews: false))
                    if let end = stage.finishing() {
                        next.append(Model(stage: end.bits, hasDrain: false, hasNews: model.hasNews))
                    }
                }
                for model in next where known.insert(model).inserted { rest.append(model) }
            }
            #expect(known.count == 3)
        }
    }
#endif
