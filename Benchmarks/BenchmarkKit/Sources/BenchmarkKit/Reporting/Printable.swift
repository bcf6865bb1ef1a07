/// Text of unknown origin, for a terminal.
public enum Printable {
    /// `text` with control characters as `\\u{1b}`, also those that change the direction of writing, and at most `limit`
    /// characters of it.
    public static func text(_ text: String, limit: Int = .max) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown + (text.unicodeScalars.count > limit ? "…" : "")
    }
}
