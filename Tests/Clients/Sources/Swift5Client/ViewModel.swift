import Corinth
import Foundation

// A view model as it is written for ReactiveSwift 7.2: classes without annotations, and closures that capture them.

enum LoginError: Error, Equatable {
    case wrongPassword
    case tooShort
}

final class Account: NSObject {
    let name: String
    init(name: String) { self.name = name }
}

final class LoginViewModel {
    let user = MutableProperty<String?>(nil)
    let password = ValidatingProperty<String, LoginError>("") { $0.count >= 3 ? .valid : .invalid(.tooShort) }
    let isEnabled: Property<Bool>
    private(set) lazy var login: Action<(), Account, LoginError> = Action(enabledIf: isEnabled) { [unowned self] in
        self.attempts += 1
        return self.request()
    }
    var attempts = 0

    init() {
        isEnabled = user.map { $0 != nil }.and(password.result.map { !$0.isInvalid })
    }

    func request() -> SignalProducer<Account, LoginError> {
        return SignalProducer { observer, lifetime in
            if self.password.value == "secret", let name = self.user.value {
                observer.send(value: Account(name: name))
                observer.sendCompleted()
            } else {
                observer.send(error: .wrongPassword)
            }
            lifetime.observeEnded { self.attempts += 10 }
        }
    }
}

final class Label {
    var text: String? = ""
    var isHidden = true
    let (lifetime, token) = Lifetime.make()
}

extension Label: ReactiveExtensionsProvider {}

extension Reactive where Base == Label {
    var text: BindingTarget<String?> {
        return BindingTarget(on: ImmediateScheduler(), lifetime: base.lifetime) { [weak base] in base?.text = $0 }
    }
}

func viewModel() {
    let model = LoginViewModel()
    let label = Label()
    var accounts: [Account] = []
    var errors: [LoginError] = []
    var refused = 0
    var enabled: [Bool] = []

    model.login.values.observeValues { accounts.append($0) }
    model.login.errors.observeValues { errors.append($0) }
    model.login.disabledErrors.observeValues { refused += 1 }
    model.isEnabled.producer.skipRepeats().startWithValues { enabled.append($0) }
    label.reactive.text <~ model.login.values.map { $0.name }
    label.reactive[\.isHidden] <~ model.login.isEnabled
    BindingTarget(lifetime: label.lifetime, object: label, keyPath: \.text) <~ model.user

    model.login.apply().start()
    let (users, user) = Signal<String, Never>.pipe()
    let (passwords, password) = Signal<String, Never>.pipe()
    model.user <~ users
    model.password <~ passwords
    user.send(value: "ada")
    password.send(value: "no")
    password.send(value: "wrong")
    model.login.apply().startWithFailed { error in precondition(error == .producerFailed(.wrongPassword)) }
    password.send(value: "secret")
    let (presses, press) = Signal<(), Never>.pipe()
    model.login <~ presses
    press.send(value: ())

    precondition(refused == 1 && errors == [.wrongPassword] && accounts.map(\.name) == ["ada"])
    precondition(enabled == [false, true] && label.text == "ada" && label.isHidden && model.attempts == 22)
}

struct Preferences {
    @MutableProperty var volume = 5
    @MutableProperty var names: [String] = []
    @Property(value: 10) var limit: Int
}

func properties() {
    let preferences = Preferences()
    var volumes: [Int] = []
    var isDone = false
    preferences.$volume.signal.observeValues { volumes.append($0) }
    preferences.volume = 6
    preferences.$volume.value += 1
    preferences.$volume.modify { $0 += preferences.limit }
    precondition(volumes == [6, 7, 17] && preferences.$volume.swap(0) == 17)

    var property: MutableProperty<Int>? = MutableProperty(1)
    var seen: [Int] = []
    let doubled = property!.map { $0 * 2 }
    let combined = Property.combineLatest(property!, doubled, preferences.$volume)
    var counter = 0
    let mapped = property!.map { (value: Int) -> Int in
        counter += 1
        return value + counter
    }
    property!.producer.on(completed: { isDone = true }).startWithValues { seen.append($0) }
    property!.value = 2
    precondition(combined.value == (2, 4, 0) && mapped.value == 4 && seen == [1, 2])
    precondition(doubled.zip(with: doubled).value == (4, 4) && doubled.filter(initial: 0) { $0 > 4 }.value == 0)
    precondition(doubled.flatMap(.latest) { Property(value: "\($0)") }.value == "4")
    property = nil
    precondition(isDone && doubled.value == 4)

    let later = Property(initial: 0, then: SignalProducer<Int, Never>([1, 2, 3]))
    let view = Property(capturing: later)
    precondition(view.value == 3 && Property(later).value == 3)
    precondition(!Property<Bool>.any(Property(value: false), Property(value: false)).negate().negate().value)
}
