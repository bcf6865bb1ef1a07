import BenchmarkKit

// `swift run -c release --package-path Benchmarks own-graph-bench --help` lists its commands.
BenchmarkTool(catalogue: PriceGraph.entries, isAlternative: PriceGraph.isNaive).main()
