import Testing
import Corinth
@Test func smoke() {
    let (s, i) = Signal<Int, Never>.pipe()
    var got: [Int] = []
    s.map { $0 + 1 }.filter { $0 % 2 == 0 }.observeValues { got.append($0) }
    for x in 0..<5 { i.send(value: x) }
    #expect(got == [2, 4])
}
