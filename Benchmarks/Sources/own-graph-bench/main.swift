import BenchmarkKit

// `swift run -c release --package-path Benchmarks own-graph-bench --help` says what it can do.
BenchmarkTool(catalogue: PriceGraph.entries).main()
