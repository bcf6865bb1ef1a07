/// Failures to tell apart.
enum TestError: Error, Equatable {
    case first
    case second
}
