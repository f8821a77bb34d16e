public import FleeceLite

extension RemoteRevisions {
    /// Encodes the `extra` column to store with a body; nil if there is nothing to store.
    ///
    /// A remote's properties become pointers into the body where they are equal: all of them, or
    /// one by one. Keys without a number are written as strings; no shared key is added.
    ///
    /// ```swift
    /// let body = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
    /// let extra = try remoteRevisions.encoded(body: body)
    /// ```
    ///
    /// - Parameters:
    ///   - body: the `body` column that is stored with it. Without properties it must be the empty
    ///     dictionary `70 00`, which LiteCore expects if there are remotes.
    ///   - sharedKeys: the file's shared keys; nil for those of `body` (default).
    /// - Returns: the bytes, to be stored in the same transaction as the body.
    /// - Throws: ``StoreError/Code/invalidParameter`` for a body that is not a dictionary or a
    ///   remote whose number is not from 1 to ``maximumRemote``;
    ///   ``StoreError/Code/corruptRevisionData`` if properties are damaged.
    public func encoded(
        body: FleeceDocument, sharedKeys: SharedKeys? = nil
    ) throws -> [UInt8]? {
        guard !isEmpty else { return nil }
        guard body.root.dictionary != nil else {
            throw StoreError(.invalidParameter, "the body is not a dictionary")
        }
        for revision in all { try Self.requireNumber(revision.remote) }
        do {
            var writer = try RemoteWriter(body, sharedKeys ?? body.sharedKeys)
            return try writer.write(self)
        } catch let error as FleeceError {
            throw StoreError(
                .corruptRevisionData,
                "the revisions of remotes cannot be written: \(error)",
                underlying: error)
        }
    }
}

/// Writes the array that follows a body.
private struct RemoteWriter: ~Copyable {
    private var encoder: FleeceEncoder
    private var shared: BodyComparison
    private let body: FleeceDocument
    /// How many bytes were copied from each document: a small one that refers to its parts
    /// repeatedly can expand to a very large copy.
    private var copied: [ObjectIdentifier: Int] = [:]

    init(_ body: FleeceDocument, _ sharedKeys: SharedKeys) throws {
        self.body = body
        shared = BodyComparison(body, sharedKeys)
        encoder = FleeceEncoder(sharedKeys: sharedKeys)
        encoder.addsSharedKeys = false
        try encoder.amend(body, padding: RemoteKey.zeros, externPointers: true)
    }

    mutating func write(_ remotes: RemoteRevisions) throws -> [UInt8] {
        encoder.beginArray()
        try writeCurrent(remotes)
        var next = 1
        for revision in remotes.all {
            for _ in next..<revision.remote { encoder.writeNull() }
            try write(revision)
            next = revision.remote + 1
        }
        try encoder.endArray()
        return try encoder.finish()
    }

    private mutating func writeCurrent(_ remotes: RemoteRevisions) throws {
        encoder.beginDictionary()
        try encoder.writeKey(RemoteKey.properties)
        try encoder.write(body.root)
        switch remotes.legacy {
        case .id(let id):
            try encoder.writeKey(RemoteKey.legacy)
            encoder.writeData(id.binary)
        case .stored(let value):
            try encoder.writeKey(RemoteKey.legacy)
            try copy(value)
        case nil: break
        }
        try write(remotes.others)
        try encoder.endDictionary()
    }

    private mutating func write(_ revision: RemoteRevision) throws {
        encoder.beginDictionary()
        try write(revision.revisionID, revision.flags, revision.properties)
        if let base = revision.base {
            try encoder.writeKey(RemoteKey.base)
            encoder.beginDictionary()
            try write(base.revisionID, base.flags, base.properties)
            try encoder.endDictionary()
        }
        try write(revision.others)
        try encoder.endDictionary()
    }

    private mutating func write(
        _ id: RevisionID, _ flags: DocumentFlags, _ properties: FleeceDictionary?
    ) throws {
        if let properties {
            try encoder.writeKey(RemoteKey.properties)
            try write(properties)
        }
        try encoder.writeKey(RemoteKey.revision)
        encoder.writeData(id.binary)
        guard !flags.isEmpty else { return }
        try encoder.writeKey(RemoteKey.flags)
        encoder.writeUInt(UInt64(flags.rawValue))
    }

    private mutating func write(_ others: [RemoteProperty]) throws {
        for other in others {
            try encoder.writeKey(other.key)
            try copy(other.value)
        }
    }

    /// Writes properties, as pointers into the body where it has equal ones.
    private mutating func write(_ properties: FleeceDictionary) throws {
        if shared.isSame(properties.value, body.root) { return try encoder.write(body.root) }
        let count = properties.count
        try spend(4 * count, for: properties.value)
        encoder.beginDictionary()
        var written = 0
        for (key, value) in properties {
            try encoder.writeKey(key)
            if let own = body.root[key], shared.isSame(value, own) {
                try encoder.write(own)
            } else {
                try copy(value)
            }
            written += 1
        }
        guard written == count else {
            throw FleeceError(.invalidData, "a key is damaged, or its shared key is lost")
        }
        try encoder.endDictionary()
    }

    private mutating func copy(_ value: FleeceValue) throws {
        let before = encoder.byteCount
        let mark = ObjectIdentifier(value.document)
        try encoder.write(
            value, maximumBytes: value.document.copyBudget - (copied[mark] ?? 0))
        try spend(encoder.byteCount - before, for: value)
    }

    private mutating func spend(_ bytes: Int, for value: FleeceValue) throws {
        let mark = ObjectIdentifier(value.document)
        let sum = (copied[mark] ?? 0) + bytes
        copied[mark] = sum
        guard sum <= value.document.copyBudget else {
            throw FleeceError(.outOfRange, "the copy is larger than allowed")
        }
    }
}

/// Checks whether a body contains values in the same form: here 1 and 1.0 differ.
///
/// Shared parts would be compared each time they occur, so the work is limited; values beyond the
/// limit are treated as different.
private struct BodyComparison: ~Copyable {
    private let size: Int
    private var budget: Int
    private var encoder: FleeceEncoder

    init(_ body: FleeceDocument, _ sharedKeys: SharedKeys) {
        size = body.size
        budget = max(1 << 24, 64 * size)
        encoder = FleeceEncoder(sharedKeys: sharedKeys)
        encoder.addsSharedKeys = false
    }

    mutating func isSame(_ value: FleeceValue, _ own: FleeceValue) -> Bool {
        guard value.kind == own.kind else { return false }
        budget -= min(size, value.document.size)
        guard budget >= 0, value == own else { return false }
        switch value.kind {
        case .null, .bool, .string, .data: return true
        default: return bytes(value).map { $0 == bytes(own) } ?? false
        }
    }

    /// The encoded value on its own; nil if it cannot be copied.
    private mutating func bytes(_ value: FleeceValue) -> [UInt8]? {
        defer { encoder.reset() }
        return try? {
            try encoder.write(value)
            return try encoder.finish()
        }()
    }
}

extension FleeceDocument {
    /// The length in bytes, that of the base included.
    fileprivate var size: Int {
        withBytes { $0.count } + (base?.withBytes { $0.count } ?? 0)
    }

    /// The maximum number of bytes to copy from it.
    fileprivate var copyBudget: Int { max(1 << 24, 16 * size) }
}
