/// A page as one HTML file, with the style of the reports and without files from elsewhere.
///
/// A fragment is markup: that of ``HeatMap/svg``, or of the functions here, which escape their texts.
public enum HTMLPage {
    /// A page for a browser, for paper, and for a phone.
    ///
    /// - Parameters:
    ///   - title: The page's title and its heading: a text.
    ///   - body: Fragments, one below the other.
    /// - Complexity: O(n) for n characters.
    public static func page(title: String, body: [String]) -> String {
        document(
            title: title,
            main: ([Markup.element("h1", [], Markup.escaped(title))] + body).joined(separator: "\n"))
    }

    /// The heading of a section.
    public static func heading(_ text: String) -> String { Markup.element("h2", [], Markup.escaped(text)) }

    public static func paragraph(_ text: String) -> String { Markup.element("p", [], Markup.escaped(text)) }

    /// A table that scrolls on its own if it is too wide. The first cell of a row is its title.
    ///
    /// - Parameters:
    ///   - caption: What the table shows, for all readers.
    ///   - head: The titles of the columns.
    ///   - rows: The texts of the cells.
    public static func table(caption: String, head: [String], rows: [[String]]) -> String {
        let lines = rows.map { cells in
            cells.enumerated().map { index, text in
                index == 0
                    ? Markup.element("th", [("scope", "row")], Markup.escaped(text))
                    : Markup.element("td", [], Markup.escaped(text))
            }.joined()
        }
        return HTMLReport.table(caption: caption, head, lines)
    }

    /// - Parameters:
    ///   - main: The markup of the page.
    ///   - scripts: The elements after it.
    static func document(title: String, main: String, scripts: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="BenchmarkKit \(BenchmarkKitVersion.current)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,">
        <title>\(Markup.escaped(title))</title>
        <style>
        \(HTMLStyle.text)
        </style>
        </head>
        <body>
        <main>
        \(main)
        </main>
        \(scripts)
        </body>
        </html>

        """
    }
}
