public import DataFileCore
public import FleeceLite

/// How a ``Replicator`` resolves conflicts: documents that were changed in the file and at the
/// remote, neither change knowing the other.
///
/// ```swift
/// let merging = ConflictResolver.custom { local, remote, ancestor in
///     guard let theirs = remote.properties else { return .keepCurrent }
///     var merged = MutableFleeceDictionary(theirs)
///     if let mine = local["visits"]?.int, let before = ancestor?["visits"]?.int {
///         merged["visits"] = .int((theirs["visits"]?.int ?? 0) + mine - before)
///     }
///     return .merge(merged)
/// }
/// ```
public struct ConflictResolver: Sendable {
    /// Decides a conflict.
    ///
    /// It is called within a transaction, and must not change documents itself. `ancestor` is the
    /// revision that both sides had, if its properties are still stored.
    public typealias Decision =
        @Sendable (_ local: Document, _ remote: DocumentRevision, _ ancestor: FleeceDictionary?)
        throws -> ConflictResolution

    enum Kind: Sendable {
        case keep, lastWriter
        case decide(Decision)
    }

    let kind: Kind

    /// Whether a closure decides, which gets the ancestor.
    var decides: Bool {
        if case .decide = kind { true } else { false }
    }

    /// The later change wins; of changes at the same time, that of the source with the greater ID.
    /// All databases with this rule choose the same one.
    ///
    /// Revisions of trees have no times: the longer history wins, or the greater digest.
    public static let lastWriterWins = ConflictResolver(kind: .lastWriter)
    /// The file's revision wins.
    public static let localWins = ConflictResolver.custom { _, _, _ in .keepCurrent }
    /// The remote's revision wins.
    public static let remoteWins = ConflictResolver.custom { _, _, _ in .takeOther }
    /// Nothing wins: both revisions are kept, and the document is not pushed, until
    /// `DocumentCollection.resolveConflicts(of:in:_:)` is called.
    public static let keep = ConflictResolver(kind: .keep)

    /// A closure decides.
    public static func custom(_ decide: @escaping Decision) -> ConflictResolver {
        ConflictResolver(kind: .decide(decide))
    }
}
