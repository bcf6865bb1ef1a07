/// The version of this package.
public enum BenchmarkKitVersion {
    /// The version, as the top of `CHANGELOG.md` has it.
    public static let current = "0.1.0"
}
