import ReactiveSwift

/// Plays a row of the family `properties`.
///
/// The first field declares composed properties, `p0= 1 m0 m2`: the number of the composition and what it is made of. `m0`, `m1` and
/// `m2` are mutable properties that begin as 0, 1 and 2. There is also a property that holds a property, which begins as 40.
///
/// The steps: `m1=5` sets, `mod1` adds one by `modify`, `h` puts another property into the holder and `hv` sets the one that it
/// holds, `m1nil` and `p1nil` release, `d1` disposes of an observation, and `?` prints all values. In the end all values are
/// printed, and then all composed properties and all others are released.
///
/// The output has `p0:` before what the producer of `p0` sends, and `s0:` if its signal is observed instead. A row doesn't say which
/// of them is observed, nor what `h` and `hv` set, so those come from the generator. It has drawn a number for each name in a row.
final class PropertyPlayer {
    /// The compositions, by their numbers.
    enum Composition: Int {
        case map, combineLatest, zip, skipRepeats, uniqueValues, combinePrevious, flatMapLatest, flatMapMerge
        case flattenHolder, then, filter, capturing, combineLatest3, negate
    }

    private var variables: [MutableProperty<Int>?] = (0..<3).map { MutableProperty($0) }
    private let holder: MutableProperty<MutableProperty<Int>> = MutableProperty(MutableProperty(40))
    private var composed: [Property<Int>?] = []
    private var disposables: [Disposable?] = []
    private let program: RandomProgram
    private var generator: RecordedGenerator
    private let log = Log()

    init(_ program: RandomProgram) {
        self.program = program
        generator = RecordedGenerator(seed: program.seed, factor: 15_485_863, summand: 7)
    }

    static func operators(of program: RandomProgram) -> Set<String> {
        let numbers = program.operators.split(separator: " ").compactMap { Int($0) }
        return Set(numbers.compactMap(Composition.init(rawValue:)).map { "\($0)" })
    }

    func play() throws -> String {
        // What this object holds is released after the last entry, in an optimised build, too.
        defer { withExtendedLifetime(self) {} }
        generator.skip()  // How many properties are composed.
        for declaration in program.operators.split(separator: "=").dropFirst() {
            // The name of the next property is the last word, unless this is the last declaration.
            var words = declaration.split(separator: " ").map(String.init)
            if composed.count + 2 < program.operators.split(separator: "=").count { words.removeLast() }
            guard let number = words.first.flatMap(Int.init), let composition = Composition(rawValue: number) else {
                throw MalformedRow(row: program.operators)
            }
            generator.skip(words.count)
            composed.append(try compose(composition, words.dropFirst().map(property(named:))))
        }
        for (index, property) in composed.enumerated() { observe(property, index) }
        generator.skip()  // How many steps there are.
        for step in program.script.split(separator: " ") {
            log("|")
            try play(String(step))
        }
        log("|")
        logValues()
        composed = []
        log("|")
        variables = []
        return log.take().joined(separator: " ")
    }

    private func property(named name: String) throws -> Property<Int> {
        guard let index = Int(name.dropFirst()) else { throw MalformedRow(row: name) }
        switch name.first {
        case "m": if let variable = variables[index] { return Property(variable) }
        case "p": if let property = composed[index] { return property }
        default: break
        }
        throw MalformedRow(row: name)
    }

    private func compose(_ composition: Composition, _ parts: [Property<Int>]) throws -> Property<Int> {
        switch (composition, parts.count) {
        case (.map, 1): return parts[0].map { $0 &+ 1 }
        case (.combineLatest, 2): return Property.combineLatest(parts[0], parts[1]).map { digits($0) }
        case (.zip, 2): return Property.zip(parts[0], parts[1]).map { digits($0) }
        case (.skipRepeats, 1): return parts[0].skipRepeats()
        case (.uniqueValues, 1): return parts[0].uniqueValues()
        case (.combinePrevious, 1): return parts[0].combinePrevious(0).map { digits($0) }
        case (.flatMapLatest, 2):
            let inner = parts[0]
            return parts[1].flatMap(.latest) { outer in inner.map { $0 &+ outer } }
        case (.flatMapMerge, 2):
            let inner = parts[0]
            return parts[1].flatMap(.merge) { outer in inner.map { $0 &+ outer } }
        case (.flattenHolder, 0): return holder.flatten(.latest)
        case (.then, 1): return Property(initial: parts[0].value, then: parts[0].signal.skip(first: 1))
        case (.filter, 1): return parts[0].filter(initial: 5) { $0.isMultiple(of: 2) }
        case (.capturing, 1): return Property(capturing: parts[0])
        case (.combineLatest3, 3):
            guard let all = Property<Int>.combineLatest(parts) else { break }
            return all.map { sum($0) }
        case (.negate, 1): return parts[0].map { $0 > 3 }.negate().map { $0 ? 1 : 0 }
        default: break
        }
        throw MalformedRow(row: program.operators)
    }

    private func observe(_ property: Property<Int>?, _ index: Int) {
        let observesProducer = generator.next(below: 2) == 0
        let prefix = observesProducer ? "p\(index):" : "s\(index):"
        let observe: (Signal<Int, Never>.Event) -> Void = { [log] event in
            switch event {
            case .value(let value): log("\(prefix)\(value)")
            case .completed: log("\(prefix)C")
            case .interrupted: log("\(prefix)I")
            }
        }
        disposables.append(observesProducer ? property?.producer.start(observe) : property?.signal.observe(observe))
    }

    private func logValues() {
        log(composed.map { property in property.map { "\($0.value)" } ?? "-" }.joined(separator: ","))
    }

    private func play(_ step: String) throws {
        generator.skip()  // What kind of step this is.
        let drawn = generator.next(below: 8)
        switch step {
        case "h": holder.value = MutableProperty(40 + drawn)
        case "hv": holder.value.value = 50 + drawn
        case "?": logValues()
        default:
            generator.skip()
            let pattern = #/(?<verb>mod|m|p|d)(?<index>\d+)(?<rest>nil|=(?<value>\d+))?/#
            guard let match = step.wholeMatch(of: pattern), let index = Int(match.index) else {
                throw MalformedRow(row: step)
            }
            switch (match.verb, match.rest) {
            case ("mod", nil): variables[index]?.modify { $0 += 1 }
            case ("d", nil): disposables[index]?.dispose()
            case ("m", "nil"): variables[index] = nil
            case ("p", "nil"): composed[index] = nil
            case ("m", _?):
                guard let value = match.value.flatMap({ Int($0) }) else { throw MalformedRow(row: step) }
                variables[index]?.value = value
            default: throw MalformedRow(row: step)
            }
        }
    }
}
