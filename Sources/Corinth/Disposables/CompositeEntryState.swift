/// Which thread owns the contents of a ``CompositeEntry``.
///
///     empty ── fill ──▶ holding ── end ──▶ over
///       └──────────────── end ──────────────▲
///
/// The thread that changes the word from ``holding`` owns the contents. An entry that ends before it is filled has none.
enum CompositeEntryState: UInt64, WordState, CaseIterable, Sendable {
    /// It has contents.
    case holding
    /// It was removed, or its contents were disposed of.
    case over
    /// It gets its contents later.
    case empty

    /// The state after the contents are set; nil if the entry doesn't accept them.
    func filling() -> CompositeEntryState? {
        switch self {
        case .empty: .holding
        case .holding, .over: nil
        }
    }
}
