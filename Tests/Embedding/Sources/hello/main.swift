import Corinth

let (numbers, input) = Signal<Int, Never>.pipe()
numbers.map { $0 + 1 }.observeValues { print("hello \($0)") }
input.send(value: 1)
