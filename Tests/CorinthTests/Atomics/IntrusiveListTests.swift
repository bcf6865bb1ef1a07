@testable import Corinth
import CorinthTesting
import Testing

struct IntrusiveListTests {
    private final class Member: Listed {
        let number: Int
        var neighbours = Neighbours<Member>()

        init(_ number: Int) {
            self.number = number
        }
    }

    /// The numbers of the members, by both links, which must agree.
    private func numbers(_ list: IntrusiveList<Member>) -> [Int] {
        var (forwards, backwards): ([Int], [Int]) = ([], [])
        var rest = list.first
        while let member = unsafe rest?.takeUnretainedValue() {
            forwards.append(member.number)
            unsafe rest = member.neighbours.next
        }
        unsafe rest = list.last
        while let member = unsafe rest?.takeUnretainedValue() {
            backwards.append(member.number)
            unsafe rest = member.neighbours.previous
        }
        #expect(forwards == backwards.reversed())
        return forwards
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `A list is what an array would be, whatever is appended, inserted, moved and removed`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let members = (0..<8).map(Member.init)
        var (list, model): (IntrusiveList<Member>, [Int]) = (IntrusiveList(), [])
        for _ in 0..<500 {
            let number = Int.random(in: 0..<8, using: &generator)
            let member = members[number]
            #expect(list.contains(member) == model.contains(number))
            if let place = model.firstIndex(of: number) {
                model.remove(at: place)
                if Bool.random(using: &generator) {
                    list.moveToEnd(member)
                    model.append(number)
                } else {
                    let removed = unsafe list.remove(member)
                    #expect(unsafe removed.takeUnretainedValue() === member)
                }
            } else if Bool.random(using: &generator) {
                unsafe list.append(.passUnretained(member))
                model.append(number)
            } else {
                let place = Int.random(in: 0...model.count, using: &generator)
                let previous = place == 0 ? nil : members[model[place - 1]]
                unsafe list.insert(.passUnretained(member), behind: previous.map { unsafe .passUnretained($0) })
                model.insert(number, at: place)
            }
            #expect(numbers(list) == model && list.isEmpty == model.isEmpty)
        }
        let first = unsafe list.takeAll()
        #expect(unsafe first?.takeUnretainedValue().number == model.first)
        #expect(list.isEmpty && numbers(list) == [])
        withExtendedLifetime(members) {}
    }
}
