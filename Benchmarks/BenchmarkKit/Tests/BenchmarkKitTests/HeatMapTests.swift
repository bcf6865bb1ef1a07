import Testing

@testable import BenchmarkKit

@Suite struct HeatMapTests {
    private static let map = HeatMap(
        title: "Latency of <b>", xLabel: "time & date", yLabel: "latency", columns: ["0 s", "1 s", "2 s"],
        rows: ["1 µs", "\"2\" µs"], counts: [[0, 1], [100, 10], [7, 0]])

    private struct Cell {
        var opacity: Double
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    private func cells(_ svg: String) -> [Cell] {
        var cells: [Cell] = []
        for path in svg.matches(of: /<path class="heat" fill-opacity="([^"]+)" d="([^"]+)"/) {
            for cell in path.2.matches(of: /M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z/) {
                let numbers = [path.1, cell.1, cell.2, cell.3, cell.4].compactMap { Double($0) }
                cells.append(
                    Cell(opacity: numbers[0], x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4]))
            }
        }
        return cells
    }

    @Test func aCellForEachCountAboveZero() throws {
        let cells = cells(Self.map.svg)
        #expect(cells.count == 4)
        let largest = try #require(cells.max { $0.opacity < $1.opacity })
        let smallest = try #require(cells.min { $0.opacity < $1.opacity })
        #expect(largest.opacity == 1 && smallest.opacity > 0.1 && smallest.opacity < 0.3)
        // The largest is in the second column and in the lowest row, the smallest in the first one and above.
        #expect(abs(smallest.x + smallest.width - largest.x) < 0.11)
        #expect(abs(smallest.y + smallest.height - largest.y) < 0.11)
        // 10 is halfway from 1 to 100.
        let middle = try #require(cells.first { $0.x == largest.x && $0.y < largest.y })
        #expect(middle.opacity > 0.5 && middle.opacity < 0.75)
    }

    @Test func namesAreEscaped() {
        let svg = Self.map.svg
        #expect(svg.contains("role=\"img\" aria-label=\"Latency of &lt;b&gt;: counts by time &amp; date and latency;"))
        #expect(svg.contains(">&quot;2&quot; µs</text>") && !svg.contains("<b>"))
    }

    @Test func manyNamesAreThinnedOut() {
        let columns = (0..<600).map { "\($0) s" }
        let rows = (0..<90).map { "\($0) µs" }
        let map = HeatMap(
            title: "many", xLabel: "time", yLabel: "latency", columns: columns, rows: rows,
            counts: columns.indices.map { column in rows.indices.map { UInt64(column * $0 % 5) } })
        let svg = map.svg
        let filled = columns.indices.reduce(0) { sum, column in sum + rows.indices.count { column * $0 % 5 > 0 } }
        let names = svg.matches(of: />(\d+) s<\/text>/).compactMap { Int($0.1) }
        #expect(names.count > 3 && names.count < 12 && names.first == 0)
        #expect((4...14).contains(svg.matches(of: /> ?\d+ µs<\/text>/).count))
        let cells = cells(svg)
        #expect(cells.count == filled)
        #expect(cells.allSatisfy { $0.x + $0.width <= 540 && $0.y >= 0 })
        #expect(svg.utf8.count < 40 * cells.count)
    }

    @Test func nothingAndOneCountArePictures() {
        let empty = HeatMap(title: "none", xLabel: "x", yLabel: "y", columns: [], rows: [], counts: [])
        #expect(empty.svg.hasPrefix("<svg ") && cells(empty.svg).isEmpty)
        let single = HeatMap(title: "one", xLabel: "x", yLabel: "y", columns: ["a"], rows: ["b"], counts: [[1]])
        #expect(cells(single.svg).map(\.opacity) == [1])
    }

    @Test func aPageHasItsTextsEscapedAndNeedsNothingElse() {
        let page = HTMLPage.page(
            title: "Times of <x>",
            body: [
                HTMLPage.heading("a < b"), HTMLPage.paragraph("\"c\""), Self.map.svg,
                HTMLPage.table(caption: "d & e", head: ["<f>", "g"], rows: [["<h>", "<i>"]]),
            ])
        for text in [
            "<title>Times of &lt;x&gt;</title>", "<h1>Times of &lt;x&gt;</h1>", "<h2>a &lt; b</h2>",
            "<p>&quot;c&quot;</p>", "d &amp; e", "&lt;f&gt;</th>", "<th scope=\"row\">&lt;h&gt;</th><td>&lt;i&gt;</td>",
            "prefers-color-scheme: dark", "width=device-width", ".heat { fill: var(--main); ",
        ] { #expect(page.contains(text), "\(text)") }
        for word in ["http:", "https:", "src=", "@import", "url(", "<script"] {
            #expect(!page.contains(word), "\(word)")
        }
    }
}
