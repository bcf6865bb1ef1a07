import AccessLog
import Corinth
import CorinthNATS
import Foundation

/// A process that aggregates the lines of some partitions, and writes each state that is stored to its output.
enum LineWorker {
    static func run(_ job: Job) throws -> Never {
        let connection = job.connect(isPatient: true)
        let encoder = JSONEncoder()
        connection.jetStream().aggregate(
            job.partitions, as: LogLineCodec(format: try job.lineFormat()), by: { $0.client }, of: job.group,
            state: .json(Traffic.self)
        ) { traffic, line in
            var next = traffic ?? Traffic()
            line.add(to: &next)
            traffic = next
        }
        .start(
            Signal<NATSAggregated<Traffic>, NATSError>.Observer(
                value: { stored in
                    guard let traffic = stored.state else { return }
                    let state = StoredState(client: stored.key, sequence: stored.sequence, traffic: traffic)
                    do {
                        Output.write(String(decoding: try encoder.encode(state), as: UTF8.self))
                    } catch {
                        fail("a state doesn't encode: \(error)")
                    }
                }, failed: { fail($0.description) }))
        // The end of the input is the end of the parent.
        while readLine() != nil {}
        exit(0)
    }

    private static func fail(_ text: String) -> Never {
        Child.complain("a worker: \(text)")
        exit(1)
    }
}
