internal import DocumentStore

/// A line of a patch, as `diff --ndjson` writes it.
struct PatchLine {
    let collection: DocumentCollection
    /// Nil for the collection itself.
    let id: String?
    private(set) var kind: DocumentChange.Kind
    /// Whether to leave a tombstone; nil if the patch does not specify it.
    private(set) var deleted: Bool?
    private(set) var wasDeleted: Bool?
    /// The digest of the expected current body.
    private(set) var was: String?
    /// The digest of the body after the delta is applied.
    private(set) var isNow: String?
    private(set) var delta: FleeceDelta?
    /// The new body.
    private(set) var body: FleeceDocument?
    /// The old body.
    private(set) var old: FleeceDocument?
    private(set) var expiration: Expiration?
    private(set) var oldExpiration: Expiration?

    /// The new expiration.
    enum Expiration: Equatable {
        case never
        case at(Int64)

        var milliseconds: Int64? {
            switch self {
            case .never: nil
            case .at(let milliseconds): milliseconds
            }
        }
    }

    /// An invalid line of a patch, with the reason.
    struct InvalidLine: Error {
        let message: String
        /// The offset of the error in the line, in bytes.
        var offset = 0
    }

    /// - Throws: an `InvalidLine`.
    init(_ text: UnsafeRawBufferPointer) throws {
        let line = try Self.document(text)
        let root = line.root
        guard let name = root["collection"]?.string,
            let kind = root["change"]?.string.flatMap(DocumentChange.Kind.init(rawValue:))
        else {
            throw InvalidLine(
                message: "a line of a patch has a \"collection\" and a \"change\", which is "
                    + "\"added\", \"removed\" or \"changed\"")
        }
        do {
            collection = DocumentCollection(try CollectionName(name))
        } catch let error as StoreError {
            throw InvalidLine(message: error.message)
        }
        self.kind = kind
        id = root["id"]?.string
        deleted = root["deleted"]?.bool
        wasDeleted = root["wasDeleted"]?.bool
        was = root["was"]?.string
        isNow = root["is"]?.string
        delta = try Self.delta(root["delta"])
        body = try Self.body(root["body"], root["fleece"])
        old = try Self.body(root["old"], root["oldFleece"])
        expiration = Self.expiration(root["expiration"])
        oldExpiration = Self.expiration(root["oldExpiration"])
        try requireWhole()
    }

    private func requireWhole() throws {
        guard id != nil else {
            guard kind != .changed else { throw InvalidLine(message: "the line has no \"id\"") }
            return
        }
        switch kind {
        case .removed: return
        case .added:
            guard body == nil, deleted != true else { return }
            throw InvalidLine(message: "the line has no \"body\"; create the patch without --keys")
        case .changed:
            guard delta == nil, body == nil, expiration == nil else { return }
            throw InvalidLine(
                message:
                    "the line has neither \"delta\" nor \"body\"; create the patch without --keys"
            )
        }
    }
}

extension PatchLine {
    private static func document(_ text: UnsafeRawBufferPointer) throws -> FleeceDocument {
        do {
            var encoder = FleeceEncoder()
            try encoder.writeJSON(text)
            return try FleeceDocument(trusted: encoder.finish())
        } catch let error as FleeceError {
            throw InvalidLine(message: error.message, offset: error.offset ?? 0)
        }
    }

    private static func delta(_ value: FleeceValue?) throws -> FleeceDelta? {
        guard let value else { return nil }
        do {
            return FleeceDelta(json: try value.json())
        } catch let error as FleeceError {
            throw InvalidLine(message: error.message)
        }
    }

    private static func body(_ json: FleeceValue?, _ fleece: FleeceValue?) throws -> FleeceDocument?
    {
        if let fleece {
            guard let text = fleece.string,
                let bytes = try? HexText.bytes(Array(text.utf8), of: "the Fleece"),
                let document = try? FleeceDocument(validating: bytes),
                document.root.dictionary != nil
            else { throw InvalidLine(message: "the Fleece of a body is damaged") }
            return document
        }
        guard let json else { return nil }
        guard json.dictionary != nil else {
            throw InvalidLine(message: "a body is not a JSON object")
        }
        do {
            var encoder = FleeceEncoder()
            try encoder.write(json)
            return try FleeceDocument(trusted: encoder.finish())
        } catch let error as FleeceError {
            throw InvalidLine(message: error.message)
        }
    }

    private static func expiration(_ value: FleeceValue?) -> Expiration? {
        guard let value else { return nil }
        return value.int.map(Expiration.at) ?? .never
    }
}

extension PatchLine {
    /// Returns the line that undoes this one.
    ///
    /// - Throws: an `InvalidLine` if the line does not contain the old body.
    func reversed() throws -> PatchLine {
        var line = self
        switch kind {
        case .added: line.kind = .removed
        case .removed: line.kind = .added
        case .changed: break
        }
        (line.deleted, line.wasDeleted) = (wasDeleted, deleted)
        (line.body, line.old) = (old, body)
        (line.expiration, line.oldExpiration) = (oldExpiration, expiration)
        line.delta = nil
        do {
            line.was = try body.map { try BodyDigest.text(of: $0.root) }
            line.isNow = nil
        } catch let error as FleeceError {
            throw InvalidLine(message: error.message)
        }
        do {
            try line.requireWhole()
        } catch is InvalidLine {
            throw InvalidLine(
                message: "the line does not contain the previous body; only a patch of "
                    + "diff --both can be reversed")
        }
        return line
    }
}
