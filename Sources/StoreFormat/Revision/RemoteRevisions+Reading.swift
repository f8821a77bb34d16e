public import FleeceLite

extension RemoteRevisions {
    /// Reads an `extra` column; copies it and the body.
    ///
    /// All of the bytes are validated. A small column that refers to its parts repeatedly is an
    /// error, so the time is proportional to its length.
    ///
    /// - Parameters:
    ///   - extra: the bytes, of a row with a version vector, not a revision tree.
    ///   - body: the `body` column of the row; nil if it is `NULL`.
    ///   - sharedKeys: the shared keys that integer keys refer to.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` if it is damaged: pointers outside of it
    ///   and the body, elements that are not dictionaries, invalid revisions.
    public init(
        extra: [UInt8], body: FleeceDocument?, sharedKeys: SharedKeys
    ) throws {
        guard Self.isStored(in: extra) else {
            throw RemoteReader.damage("it does not begin with four zeros")
        }
        do {
            let document = try FleeceDocument(
                validating: extra, sharedKeys: sharedKeys, base: body)
            var reader = RemoteReader(extra.count)
            self = try reader.revisions(document.root)
        } catch let error as FleeceError {
            throw RemoteReader.damage("\(error)", error)
        }
    }
}

extension RemoteRevisions {
    /// Whether the bytes of an `extra` column are revisions of remotes, and not a revision tree.
    ///
    /// Not each such row has a version vector: a document that was received from a database with
    /// trees has the ID of its tree revision.
    package static func isStored(in extra: some Sequence<UInt8>) -> Bool {
        extra.starts(with: repeatElement(0, count: RemoteKey.zeros))
    }
}

/// Reads the array. A small one can refer to its parts repeatedly, so the work is limited.
private struct RemoteReader {
    private var budget: Int

    init(_ size: Int) {
        budget = 16 * size
    }

    static func damage(_ reason: String, _ underlying: (any Error)? = nil) -> StoreError {
        StoreError(
            .corruptRevisionData,
            "the revisions of remotes (extra) are damaged: \(reason)",
            underlying: underlying)
    }

    mutating func revisions(_ root: FleeceValue) throws -> RemoteRevisions {
        guard let array = root.array, array.count <= RemoteRevisions.maximumRemote + 1 else {
            throw Self.damage("its root is not an array of remotes")
        }
        var all: [RemoteRevision] = []
        var current: (legacy: FleeceValue?, others: [RemoteProperty]) = (nil, [])
        for (index, element) in array.enumerated() {
            if element.isNull { continue }
            guard let dictionary = element.dictionary else {
                throw Self.damage("element \(index) is not a dictionary")
            }
            let pairs = try pairs(dictionary, index)
            if index == 0 {
                current = (
                    pairs.first { $0.key == RemoteKey.legacy }?.value,
                    pairs.filter { ![RemoteKey.properties, RemoteKey.legacy].contains($0.key) }
                )
            } else {
                all.append(try revision(pairs, index))
            }
        }
        return RemoteRevisions(
            all: all, legacy: current.legacy.map { .stored($0) }, others: current.others)
    }

    /// All pairs of an element.
    private mutating func pairs(
        _ dictionary: FleeceDictionary, _ index: Int
    ) throws -> [RemoteProperty] {
        let count = dictionary.count
        try spend(1 + count)
        let pairs = dictionary.map { RemoteProperty(key: $0.key, value: $0.value) }
        guard pairs.count == count, Set(pairs.map(\.key)).count == count else {
            throw Self.damage("element \(index) has unreadable or duplicate keys")
        }
        return pairs
    }

    private mutating func revision(
        _ pairs: [RemoteProperty], _ remote: Int
    ) throws -> RemoteRevision {
        let parts = try parts(pairs, remote)
        let base = try parts.base.map { value in
            guard let dictionary = value.dictionary else {
                throw Self.damage("the base of remote \(remote) is not a dictionary")
            }
            let base = try self.parts(self.pairs(dictionary, remote), remote)
            return RemoteRevision.Base(
                revisionID: base.id, flags: base.flags, properties: base.properties)
        }
        return RemoteRevision(
            remote: remote, revisionID: parts.id, flags: parts.flags, properties: parts.properties,
            base: base, others: parts.others)
    }

    private struct Parts {
        var id: RevisionID
        var flags: DocumentFlags = []
        var properties: FleeceDictionary?
        var base: FleeceValue?
        var others: [RemoteProperty] = []
    }

    private mutating func parts(_ pairs: [RemoteProperty], _ remote: Int) throws -> Parts {
        guard let revision = pairs.first(where: { $0.key == RemoteKey.revision }) else {
            throw Self.damage("remote \(remote) has no revision")
        }
        guard let data = revision.value.data else {
            throw Self.damage("the revision of remote \(remote) is not data")
        }
        try spend(data.count)
        var parts = Parts(id: try RevisionID(binary: data))
        for pair in pairs {
            switch pair.key {
            case RemoteKey.properties:
                guard let dictionary = pair.value.dictionary else {
                    throw Self.damage("the properties of remote \(remote) are not a dictionary")
                }
                parts.properties = dictionary
            case RemoteKey.revision: break
            case RemoteKey.flags:
                guard let bits = pair.value.uint.flatMap({ UInt16(exactly: $0) }) else {
                    throw Self.damage("the flags of remote \(remote) are not a small number")
                }
                parts.flags = DocumentFlags(rawValue: bits)
            case RemoteKey.base: parts.base = pair.value
            default: parts.others.append(pair)
            }
        }
        return parts
    }

    private mutating func spend(_ work: Int) throws {
        budget -= work
        guard budget >= 0 else { throw Self.damage("its parts are shared too often") }
    }
}
