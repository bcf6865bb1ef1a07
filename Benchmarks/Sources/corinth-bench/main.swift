import BenchmarkKit

CorinthBench.tool.main()
