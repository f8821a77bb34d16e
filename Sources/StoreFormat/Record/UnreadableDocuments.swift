/// Documents that are damaged, so that nobody knows all that stands in them.
public struct UnreadableDocuments: Hashable, Sendable {
    /// How many there are.
    public private(set) var count = 1
    /// The store of the first that was met.
    public let store: KeyStoreName
    /// The key of the first that was met; what is not UTF-8 in it is repaired.
    public let key: String

    /// One document.
    init(_ store: KeyStoreName, _ key: String) {
        self.store = store
        self.key = key
    }
}

extension UnreadableDocuments? {
    /// Adds one more.
    package mutating func add(_ store: KeyStoreName, _ key: @autoclosure () -> String) {
        if self == nil { self = UnreadableDocuments(store, key()) } else { self?.countOne() }
    }
}

extension UnreadableDocuments {
    fileprivate mutating func countOne() { count &+= 1 }
}
