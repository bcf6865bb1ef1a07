import Corinth
import CorinthTesting
import Dispatch
import ExampleSupport

// A form whose state is a few properties and whose button is an action. The button is enabled only while the form is valid and
// no earlier press is being executed.

enum NameError: Error, Equatable {
    case tooShort
    case hadSpaces
}

enum SignUpError: Error, Equatable {
    case taken
}

/// The screen.
final class Screen: Sendable {
    let transcript: Transcript
    private let (lifetime, token) = Lifetime.make()

    init(_ transcript: Transcript) {
        self.transcript = transcript
    }

    /// A binding target. Its bindings end when the screen is released.
    func label(_ name: String) -> BindingTarget<String> {
        BindingTarget(lifetime: lifetime) { [transcript] in transcript("\(name): \($0)") }
    }
}

/// The form's state and its action.
final class SignUp: Sendable {
    let name: ValidatingProperty<String, NameError>
    let hasAgreed = MutableProperty(false)
    let accounts = MutableProperty<[String]>([])
    let submit: Action<Void, String, SignUpError>

    init(on scheduler: TestScheduler) {
        name = ValidatingProperty("") { name in
            if name.contains(" ") { return .coerced(name.filter { $0 != " " }, .hadSpaces) }
            return name.count >= 3 ? .valid : .invalid(.tooShort)
        }
        let isValid = name.result.map { !$0.isInvalid }
        // The action's state, which is read at execution: the name if the form is complete, otherwise nil.
        let complete = name.combineLatest(with: isValid.and(hasAgreed)).map { name, isComplete in
            isComplete ? name : nil
        }
        submit = Action(unwrapping: complete) { [accounts] name in
            SignalProducer { () -> Result<String, SignUpError> in
                if accounts.value.contains(name) { return .failure(.taken) }
                accounts.modify { $0.append(name) }
                return .success(name)
            }
            .delaySubscription(1, on: scheduler)
        }
    }
}

@main
enum SignUpForm {
    /// Why the name was rejected or coerced.
    @Sendable private static func hint(for result: ValidatingProperty<String, NameError>.Result) -> String {
        switch result {
        case .coerced(_, _, let reason?), .invalid(_, let reason): "\(reason)"
        case .coerced, .valid: "none"
        }
    }

    static func main() {
        let scheduler = TestScheduler()
        let transcript = Transcript(scheduler)
        let form = SignUp(on: scheduler)
        let screen = Screen(transcript)

        screen.label("button") <~ form.submit.isEnabled.map { $0 ? "enabled" : "disabled" }
        screen.label("spinner") <~ form.submit.isExecuting.signal.map { $0 ? "turns" : "stops" }
        screen.label("hint") <~ form.name.result.signal.map(hint(for:)).skipRepeats()
        screen.label("welcome") <~ form.submit.values
        screen.label("error") <~ form.submit.errors.map { "\($0)" }

        // Presses of the button. Presses while it is disabled are counted.
        let (presses, button) = Signal<Void, Never>.pipe()
        form.submit <~ presses
        let ignored = Property(initial: 0, then: form.submit.disabledErrors.producer.scan(0) { count, _ in count + 1 })

        let (texts, field) = Signal<String, Never>.pipe()
        form.name <~ texts
        let (switches, agreement) = Signal<Bool, Never>.pipe()
        form.hasAgreed <~ switches

        let script: [(what: String, action: @Sendable () -> Void)] = [
            ("presses too early", { button.send(value: ()) }),
            ("types 'Al'", { field.send(value: "Al") }),
            ("types 'Ada L'", { field.send(value: "Ada L") }),
            ("agrees", { agreement.send(value: true) }),
            ("presses twice", { (0..<2).forEach { _ in button.send(value: ()) } }),
            ("waits", {}),
            ("presses again", { button.send(value: ()) }),
            ("waits", {}),
            ("types 'Grace'", { field.send(value: "Grace") }),
            ("presses", { button.send(value: ()) }),
            ("withdraws while that is under way", { agreement.send(value: false) }),
        ]
        for (number, step) in script.enumerated() {
            scheduler.schedule(after: .milliseconds(number * 600)) {
                transcript("— \(step.what)")
                step.action()
            }
        }
        scheduler.advance(by: .seconds(20))

        // A program can execute the action directly and observe the result.
        let outcome = form.submit.apply().first()
        transcript.check("refused while disabled", outcome == .failure(.disabled), is: true)

        transcript.check("accounts", form.accounts.value, is: ["AdaL", "Grace"])
        transcript.check("the name", form.name.value, is: "Grace")
        transcript.check("attempts that were ignored", ignored.value, is: 3)
        transcript.check("executing at the end", form.submit.isExecuting.value, is: false)
    }
}
