import Corinth

final class Log { var lines: [String] = [] }

// State that is handed over to a scheduler is nobody else's.
func confinedCapture(_ scheduler: QueueScheduler) -> Confined<Log> {
    let log = Log()
    let confined = Confined(on: scheduler, log)  // expected: risks causing data races
    log.lines.append("begun")
    return confined
}
