/// Why some uses of operators allocate, lock or call the system for a value. They do so by design. The proof fails if one of
/// them doesn't, and if any other does.
struct Reason: Sendable {
    let text: String

    /// Names of uses: the operator, a comma and the variant. The variant * stands for all.
    let uses: Set<String>

    /// The only overload that does so; nil if all do.
    var overload: OperatorEntry.Overload?

    func covers(_ use: OperatorUse) -> Bool {
        (uses.contains("\(use.entry.name), *") || uses.contains(use.entry.testDescription))
            && (overload == nil || overload == use.overload)
    }

    static let all = [
        Reason(
            text: "the value waits in a buffer that grows",
            uses: [
                "collect()", "collect(every:on:skipEmpty:discardWhenCompleted:)",
                "collect(every:on:skipEmpty:discardWhenCompleted:), discarding", "collect(count:within:on:)",
                "flatMap(_:_:), concat of another source", "flatMap(_:_:), concurrent of another source",
                "merge(ordered:bufferingPolicy:statistics:)", "throttle(while:on:)",
                "parallelMap(on:limit:ordered:_:), *",
            ]),
        Reason(
            text: "it is kept for later starts",
            uses: ["replayLazily(upTo:)", "replayLazily(upTo:for:on:)", "share(replay:), with replay"]),
        Reason(text: "it is kept to be compared", uses: ["uniqueValues()", "uniqueValues(_:)"]),
        Reason(
            text: "the value or the result is an array",
            uses: ["flatten()", "zip(_:)", "zip(_:emptySentinel:)"]),
        Reason(
            text: "it starts a stream, or ends one",
            uses: Set(
                ["merge", "concat", "concurrent", "latest", "race", "throttle", "concatEager", "concatEager(limit: 2)"]
                    .map { "flatMap(_:_:), \($0) of arrays" }
            ).union([
                "flatMap(_:_:), merge of another source", "flatMap(_:_:), latest of another source",
                "flatMap(_:_:), concatEager of single values", "flatMap(_:_:), concatEager of another source",
                "flatMap(_:_:), concatEager(limit: 2) of single values",
                "flatMap(_:_:), concatEager(limit: 2) of another source", "flatMap(_:_:), convertible",
                "flatMap(_:_:), inner that can't fail", "flatMap(_:_:), outer that can't fail",
                "flatMap(_:_:), neither can fail", "flatMap(_:on:_:)", "flatten(_:), *", "group(limit:by:)",
                "group(limit:idle:on:by:)", "window(count:)", "window(count:within:on:)",
            ])),
        Reason(
            text: "it waits for a scheduler, or a timer is set",
            uses: [
                "lazyMap(on:transform:), *", "observe(on:), later", "observe(on:), a scheduler of a pool",
                "observe(on:), an executor", "observe(on:carrying:), later",
                "observe(on:carrying:bufferingPolicy:statistics:)", "observe(on:by:_:)",
                "observe(on:by:bufferingPolicy:statistics:_:), with the scheduler",
                "observe(on:latestBy:statistics:), later", "delay(_:on:)",
                "pace(_:per:burst:on:bufferingPolicy:statistics:)",
                "throttle(_:on:)", "throttle(_:on:edges:discardWhenCompleted:)",
                "debounce(_:on:discardWhenCompleted:), *", "debounce(_:on:edges:discardWhenCompleted:)",
                "timeout(perValue:raising:on:), *",
            ]),
        Reason(
            text: "it is kept until it is delivered or dropped",
            uses: [
                "observe(on:mostUrgentFirst:bufferingPolicy:statistics:onDrop:)",
                "observe(on:bufferingPolicy:statistics:onDrop:)",
            ]),
        Reason(text: "a task-local value is restored", uses: ["observe(on:carrying:), at once"]),
        Reason(text: "a line of text is made", uses: ["logIntervals(to:name:values:), *"]),
    ]
}
