/// Distinct failures.
enum TestError: Error, Equatable {
    case first
    case second
}
