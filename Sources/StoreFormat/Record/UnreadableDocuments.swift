/// Damaged documents, whose complete contents cannot be read.
///
/// An operation that visits all documents continues after a damaged one and reports it in this
/// form:
///
/// ```swift
/// if let damaged = try file.compact().unreadableDocuments {
///     show("\(damaged.count) damaged documents, first \(damaged.key)", damaged.store.rawName)
/// }
/// ```
///
/// Verify the file to list all of them.
public struct UnreadableDocuments: Hashable, Sendable {
    /// How many there are, at least one.
    public private(set) var count = 1
    /// The store of the first one found.
    public let store: KeyStoreName
    /// The key of the first one found; invalid UTF-8 in it is replaced.
    public let key: String

    /// A single document.
    init(_ store: KeyStoreName, _ key: String) {
        self.store = store
        self.key = key
    }
}

extension UnreadableDocuments? {
    /// Adds a document.
    package mutating func add(_ store: KeyStoreName, _ key: @autoclosure () -> String) {
        if self == nil { self = UnreadableDocuments(store, key()) } else { self?.countOne() }
    }
}

extension UnreadableDocuments {
    fileprivate mutating func countOne() { count &+= 1 }
}
