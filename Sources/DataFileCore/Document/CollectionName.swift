public import StoreFormat

/// The name of a collection and its scope.
///
/// ```swift
/// let people = try CollectionName("people")  // in the default scope
/// let admins = try CollectionName("app.admins")
/// let isSame = try CollectionName("_default.people") == people
/// ```
///
/// A scope groups the collections of an application or library, and exists as long as it has any.
/// To read and write documents, make a ``DocumentCollection`` of it. Names are case-sensitive.
public struct CollectionName: Hashable, Sendable {
    /// The scope; `_default` if none is given.
    public let scope: String
    /// The collection's name within its scope.
    public let name: String

    /// The default collection of the default scope, `_default`. Every file has it; in files of
    /// Couchbase Lite 2 it contains all documents.
    public static let `default` = CollectionName(uncheckedScope: defaultName, name: defaultName)

    private static let defaultName = "_default"

    private init(uncheckedScope scope: String, name: String) {
        self.scope = scope
        self.name = name
    }

    /// Parses `name` or `scope.name`; `_default` and `_` both denote the default.
    ///
    /// - Parameter text: the name; scope and name have 1 to 251 of the characters `A–Z a–z 0–9 _ -
    ///   %`, and start with neither `_` nor `%`.
    /// - Throws: ``StoreError/Code/invalidParameter`` for another name, and for a default
    ///   collection in another scope.
    public init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count) else {
            throw StoreError(
                .invalidParameter, "\"\(text)\" is not a collection: use NAME or SCOPE.NAME")
        }
        let names = parts.map { $0 == "_" ? Self.defaultName : $0 }
        for name in names where name != Self.defaultName && !Self.isValid(name) {
            throw StoreError(
                .invalidParameter,
                "\"\(name)\" is not a scope or collection name: use 1 to 251 letters, digits, "
                    + "'_', '-' or '%', starting with a letter, digit or '-'")
        }
        let scope = names.count == 2 ? names[0] : Self.defaultName
        let name = names.last ?? Self.defaultName
        guard name != Self.defaultName || scope == Self.defaultName else {
            throw StoreError(
                .invalidParameter,
                "the scope \(scope) has no default collection; specify SCOPE.NAME")
        }
        self.init(uncheckedScope: scope, name: name)
    }

    private static func isValid(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "A"..."Z", "a"..."z", "0"..."9", "_", "-", "%": true
            default: false
            }
        }
        return isPlain && (1...251).contains(name.utf8.count) && !name.hasPrefix("_")
            && !name.hasPrefix("%")
    }
}

extension CollectionName {
    /// The collection whose records a KeyStore contains; nil for a raw store.
    public init?(_ store: KeyStoreName) {
        guard store.isCollection else { return nil }
        guard store != .default else {
            self = .default
            return
        }
        let parts = store.rawName.dropFirst()
            .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        self.init(
            uncheckedScope: parts.count == 2 ? parts[0] : Self.defaultName,
            name: parts.last ?? "")
    }

    /// The name of the KeyStore that contains its records.
    public var keyStoreName: KeyStoreName {
        if self == .default { return .default }
        return KeyStoreName(scope == Self.defaultName ? ".\(name)" : ".\(scope).\(name)")
    }
}

extension CollectionName: CustomStringConvertible {
    /// `name` in the default scope, otherwise `scope.name`.
    public var description: String {
        scope == Self.defaultName ? name : "\(scope).\(name)"
    }
}

extension KeyStoreName {
    /// The name in messages: that of the collection, or of the raw store.
    package var displayName: String { CollectionName(self)?.description ?? rawName }
}

extension Snapshot {
    /// The scopes that have collections, the default scope first, which always exists.
    ///
    /// ```swift
    /// let scopes = try file.read { try $0.scopeNames() }
    /// ```
    ///
    /// Reads the schema, which the connection caches. Throws ``StoreError/Code/notInTransaction``
    /// after the snapshot's end.
    public func scopeNames() throws -> [String] {
        try collectionNames().reduce(into: []) { scopes, name in
            if scopes.last != name.scope { scopes.append(name.scope) }
        }
    }

    /// The collections of the file, the default collection first, then by scope and name.
    ///
    /// ```swift
    /// try file.read { snapshot in
    ///     for name in try snapshot.collectionNames() {
    ///         show(name, try DocumentCollection(name).count(in: snapshot).live)
    ///     }
    /// }
    /// ```
    ///
    /// Reads the schema, which the connection caches. Throws ``StoreError/Code/notInTransaction``
    /// after the snapshot's end.
    public func collectionNames() throws -> [CollectionName] {
        try keyStoreNames().compactMap { CollectionName($0) }.sorted { left, right in
            left.sortKey < right.sortKey
        }
    }
}

extension CollectionName {
    /// The sort key of collections: default names first, then by bytes.
    fileprivate var sortKey: (Int, String, Int, String) {
        (scope == Self.defaultName ? 0 : 1, scope, name == Self.defaultName ? 0 : 1, name)
    }
}
