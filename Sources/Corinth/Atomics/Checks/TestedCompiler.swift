// The engine relies on how this compiler lays out closures and objects, which the language doesn't promise. “What it assumes of
// the compiler” in MemoryModel.md lists it, and `CompilerAssumptionTests` tests it. So another compiler is refused, not trusted:
// where an assumption is wrong, a program would corrupt its memory.
#if !UntestedCompiler && (compiler(<6.3) || compiler(>=6.4))
    #error(
        "Corinth is tested with Swift 6.3 only. To try this compiler, enable the package trait UntestedCompiler and run Corinth's tests with it, `swift test --traits UntestedCompiler --filter CompilerAssumptionTests` first."
    )
#endif
