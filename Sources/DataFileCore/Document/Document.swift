public import FleeceLite
internal import SQLCore
public import StoreFormat

/// A document of a collection, as read from a snapshot.
///
/// It has an ``id``, ``properties``, and metadata: a revision, a sequence, flags. It is an
/// immutable value that can be used on any thread, and after its snapshot and even its file have
/// been closed:
///
/// ```swift
/// guard let ada = try file.read({ try people.get("ada", in: $0) }) else { return }
/// let name = ada["name"]?.string ?? ""
/// let city = ada["address"]?["city"]?.string
/// let ages = ada["children"]?.array?.compactMap { $0["age"]?.int } ?? []
/// ```
///
/// A property that does not exist, or has another type than the accessor, is nil. To check all
/// properties at once, read the document as a value of a `Codable` type:
///
/// ```swift
/// let ada = try file.read { try persons.value("ada", in: $0) }
/// ```
///
/// To change it, save a mutable copy, which detects whether another writer has changed the document
/// since:
///
/// ```swift
/// var copy = document.mutableCopy()
/// copy["age"] = 37
/// let result = try file.write { try people.save(&copy, in: $0) }
/// ```
///
/// **Blobs** in it are references; see ``Blob``. **JSON** is written by ``write(to:metadata:)``:
///
/// ```swift
/// var writer = JSONWriter()
/// try document.write(to: &writer)
/// show(writer.text)
/// ```
///
/// **Cost.** The body was copied when the document was read. A property is found by binary search,
/// and decoded when it is accessed: reading one of many is fast. For the same property of many
/// documents, pass a ``FleeceKey`` to ``FleeceDictionary/value(_:)``.
///
/// A tombstone is a document, too, without properties: `get` returns it on request only. See also
/// ``MutableDocument``, ``TypedDocument`` and ``DocumentHistory``.
public struct Document: Sendable {
    /// The ID, which is unique in the collection and never changes.
    public let id: String
    /// The sequence of its latest change: each save or deletion in a collection gets the next
    /// number.
    public let sequence: Int64
    /// The number of later updates without a new sequence: changes of flags and of remotes'
    /// revisions.
    public let subsequence: Int
    /// The flags: deleted, conflicted, has attachments, and others.
    public let flags: DocumentFlags
    /// When it expires, in milliseconds since 1970; nil if it does not expire. It is purged soon
    /// after; see ``KeyStore/setExpiration(_:of:in:)``.
    public let expiration: Int64?
    /// The current revision; nil if the row has none, as a tombstone of some older files.
    public let revisionID: RevisionID?
    /// The body; nil if it has no properties. ``properties`` is its root.
    public let body: FleeceDocument?
    /// Whether the row has more history than its current version.
    let hasHistory: Bool

    /// Whether it is a tombstone, which has no properties.
    public var isDeleted: Bool { flags.contains(.deleted) }
    /// The properties; nil if it has none.
    ///
    /// ```swift
    /// if let properties = document.properties {
    ///     for (key, value) in properties { show(key, value) }
    /// }
    /// ```
    public var properties: FleeceDictionary? { body?.root.dictionary }

    /// A top-level property; nil if it does not exist.
    ///
    /// ```swift
    /// let city = document["address"]?["city"]?.string
    /// ```
    public subscript(key: String) -> FleeceValue? { properties?[key] }

    /// A top-level property, looked up with a prepared key.
    ///
    /// The key is not updated: in a loop, call ``FleeceDictionary/value(_:)``, which also caches
    /// the position.
    ///
    /// ```swift
    /// var age = FleeceKey("age")
    /// var total: Int64 = 0
    /// try file.read { snapshot in
    ///     try people.forEach(in: snapshot) { document in
    ///         total += try document.get().properties?.value(&age)?.int ?? 0
    ///     }
    /// }
    /// ```
    public subscript(key: FleeceKey) -> FleeceValue? { properties?[key] }
}

extension Document {
    /// Reads a row with the columns of `RecordColumns` and all content.
    ///
    /// Throws `.corruptRevisionData` or `.corruptData`, naming the document.
    @inline(__always)
    static func read(
        _ row: SQLStatement, key: String?, isTombstone: Bool, sharedKeys: SharedKeys
    ) throws -> Document {
        let version = row.bytes(at: 3)
        let expirationType = row.type(at: 4)
        // A blob in `expiration` means that an upgrade swapped columns of the row.
        guard version.first == 0, expirationType != .blob else {
            let record = RecordColumns.record(row, .all, key: key, isTombstone: isTombstone)
            return try Document(record, sharedKeys: sharedKeys)
        }
        let expiration = expirationType == .long ? row.long(at: 4) : nil
        return try Document(vectorRow: row, version, expiration, key, sharedKeys)
    }

    /// Reads the current row of an enumeration with all content.
    ///
    /// Throws `.corruptRevisionData` or `.corruptData`, naming the document.
    init(_ row: borrowing RecordRow, sharedKeys: SharedKeys) throws {
        self = try Self.read(
            row.statement, key: nil, isTombstone: row.isInTombstoneTable, sharedKeys: sharedKeys)
    }

    /// Reads a row with a version vector without copying columns first.
    @inline(__always)
    private init(
        vectorRow row: SQLStatement, _ version: UnsafeRawBufferPointer, _ expiration: Int64?,
        _ key: String?, _ sharedKeys: SharedKeys
    ) throws {
        // From the first property on nothing can fail, so there is nothing to undo.
        let id = key ?? row.text(at: 0) ?? ""
        let content = try Self.content(version, row.bytes(at: 5), sharedKeys, id)
        let flags = row.long(at: 2)
        self.id = id
        sequence = row.long(at: 1)
        subsequence = Int(flags >> 16)
        self.flags = DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags))
        self.expiration = expiration
        revisionID = .vector(content.vector)
        body = content.body
        hasHistory = !row.isNull(at: 6)
    }

    @inline(__always)
    private static func content(
        _ version: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer,
        _ sharedKeys: SharedKeys, _ id: String
    ) throws -> (vector: VersionVector, body: FleeceDocument?) {
        do {
            return (
                try VersionVector(binary: version),
                bytes.isEmpty ? nil : try Self.body(bytes, sharedKeys)
            )
        } catch {
            throw damaged(id, error)
        }
    }

    /// Reads a record with all content.
    ///
    /// Throws `.corruptRevisionData` or `.corruptData`, naming the document.
    package init(_ record: Record, sharedKeys: SharedKeys) throws {
        id = record.key
        sequence = record.sequence
        subsequence = record.subsequence
        flags = record.flags
        expiration = record.expiration
        hasHistory = record.extraSize > 0 || !VersionVector.isVector(record.version)
        do {
            revisionID = try record.revisionID()
            body = try record.currentBody.map { bytes in
                try bytes.withUnsafeBytes { try Self.body($0, sharedKeys) }
            }
        } catch {
            throw Self.damaged(record.key, error)
        }
    }

    @inline(__always)
    private static func body(
        _ bytes: UnsafeRawBufferPointer, _ sharedKeys: SharedKeys
    ) throws -> FleeceDocument {
        let body = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
        guard body.isDictionary else {
            throw FleeceError(.invalidData, "the body is not a dictionary")
        }
        return body
    }

    /// The error of an unreadable document; an error that names it already is returned unchanged.
    static func damaged(_ id: String, _ error: any Error) -> StoreError {
        if let error = error as? StoreError, error.message.hasPrefix("document \"\(id)\"") {
            return error
        }
        return StoreError(
            (error as? StoreError)?.has(.corruptRevisionData) == true
                ? .corruptRevisionData : .corruptData,
            "document \"\(id)\" is damaged: \(error)", underlying: error)
    }
}

extension Document {
    /// Appends the document to `writer` as an object whose first property is `_id`.
    ///
    /// ```swift
    /// var writer = JSONWriter()
    /// try document.write(to: &writer)
    /// let line = writer.text
    /// ```
    ///
    /// - Parameters:
    ///   - writer: the writer; its options determine the form of the JSON.
    ///   - metadata: further properties after `_id`, in this order, before those of the document;
    ///     none by default.
    /// - Throws: ``StoreError/Code/corruptData``, which names the document; nothing is appended
    ///   then.
    public func write(
        to writer: inout JSONWriter, metadata: [(key: String, json: JSONText)] = []
    ) throws {
        var quoted = JSONText()
        quoted.append(quoted: id)
        do {
            try writer.write(properties, after: [("_id", quoted)] + metadata)
        } catch {
            throw Self.damaged(id, error)
        }
    }
}
