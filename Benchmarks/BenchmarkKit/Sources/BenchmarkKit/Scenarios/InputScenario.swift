/// A side that gives each event an input, which is made and released outside the measured time.
///
/// The inputs are made in batches, which bounds their memory: the next batch replaces the one before.
final class InputScenario<Input>: Scenario {
    private let makeInput: (_ number: Int) throws -> Input
    private let body: (inout Input) throws -> Void
    private var inputs: [Input] = []
    /// The number of the next input.
    private var number = 0
    /// What making an input or the last run has thrown.
    private var failure: (any Error)?

    let largestBatch: Int

    init(
        batch: Int, _ makeInput: @escaping (_ number: Int) throws -> Input,
        _ body: @escaping (inout Input) throws -> Void
    ) {
        largestBatch = batch
        self.makeInput = makeInput
        self.body = body
    }

    func prepare(events: Int) {
        inputs.removeAll(keepingCapacity: true)
        inputs.reserveCapacity(events)
        do {
            for _ in 0..<events {
                inputs.append(try makeInput(number))
                number += 1
            }
        } catch {
            failure = error
        }
    }

    func run(events: Int) {
        do {
            // A buffer, so that an event costs no check of the array.
            try unsafe inputs.withUnsafeMutableBufferPointer { buffer in
                for index in buffer.indices { try unsafe body(&buffer[index]) }
            }
        } catch {
            failure = error
        }
    }

    func verify() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    func tearDown() {
        inputs = []
    }
}
