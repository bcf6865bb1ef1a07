/// Runs each operation of a family with n, 2 n and 4 n of something. `GrowthTests` runs this program under Callgrind, which counts the
/// instructions of each call of ``counted()``.
///
///     GrowthProbe FAMILY
@main
enum GrowthProbe {
    static func main() {
        guard let family = CommandLine.arguments.last.flatMap(GrowthFamily.init(rawValue:)) else {
            let families = GrowthFamily.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("GrowthProbe takes a family of operations: \(families)")
        }
        for operation in family.operations {
            // Makes what is made only once, such as the metadata of types.
            operation.run(operation.sizes[0])
            for size in operation.sizes {
                unsafe body = { operation.run(size) }
                counted()
            }
        }
        unsafe print(calls, "runs")
    }
}

/// What ``counted()`` does next.
nonisolated(unsafe) private var body: () -> Void = {}
nonisolated(unsafe) private var calls = 0

/// A function that Callgrind knows by this name. It has no parameter, so that the compiler makes no copies of it for some arguments,
/// and counts its calls, so that its last instruction isn't a jump.
@_silgen_name("growth_counted")
@inline(never)
func counted() {
    unsafe body()
    unsafe calls += 1
}
