internal import DocumentStore

/// A line of a patch, as `diff --ndjson` writes it.
struct PatchLine {
    let collection: DocumentCollection
    /// Nil for the collection itself.
    let id: String?
    private(set) var kind: DocumentChange.Kind
    /// Whether a tombstone is to be left; nil if the patch does not say.
    private(set) var deleted: Bool?
    private(set) var wasDeleted: Bool?
    /// The digest of the body that is expected.
    private(set) var was: String?
    /// The digest of the body that a delta makes of it.
    private(set) var isNow: String?
    private(set) var delta: FleeceDelta?
    /// The new body.
    private(set) var body: FleeceDocument?
    /// The old one.
    private(set) var old: FleeceDocument?
    private(set) var expiration: Expiration?
    private(set) var oldExpiration: Expiration?

    /// What becomes of the expiration.
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

    /// A line that is not one of a patch, and why.
    struct Mistake: Error {
        let message: String
        /// Where in the line, in bytes.
        var offset = 0
    }

    /// Throws a `Mistake`.
    init(_ text: UnsafeRawBufferPointer) throws {
        let line = try Self.document(text)
        let root = line.root
        guard let name = root["collection"]?.string,
            let kind = root["change"]?.string.flatMap(DocumentChange.Kind.init(rawValue:))
        else {
            throw Mistake(
                message: "a line of a patch has a \"collection\" and a \"change\", which is "
                    + "\"added\", \"removed\" or \"changed\"")
        }
        do {
            collection = DocumentCollection(try CollectionName(name))
        } catch let error as StoreError {
            throw Mistake(message: error.message)
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
            guard kind != .changed else { throw Mistake(message: "the line has no \"id\"") }
            return
        }
        switch kind {
        case .removed: return
        case .added:
            guard body == nil, deleted != true else { return }
            throw Mistake(message: "the line has no \"body\"; make the patch without --keys")
        case .changed:
            guard delta == nil, body == nil, expiration == nil else { return }
            throw Mistake(
                message:
                    "the line has neither \"delta\" nor \"body\"; make the patch without --keys"
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
            throw Mistake(message: error.message, offset: error.offset ?? 0)
        }
    }

    private static func delta(_ value: FleeceValue?) throws -> FleeceDelta? {
        guard let value else { return nil }
        do {
            return FleeceDelta(json: try value.json())
        } catch let error as FleeceError {
            throw Mistake(message: error.message)
        }
    }

    private static func body(_ json: FleeceValue?, _ fleece: FleeceValue?) throws -> FleeceDocument?
    {
        if let fleece {
            guard let text = fleece.string,
                let bytes = try? HexText.bytes(Array(text.utf8), of: "the Fleece"),
                let document = try? FleeceDocument(validating: bytes),
                document.root.dictionary != nil
            else { throw Mistake(message: "the Fleece of a body is damaged") }
            return document
        }
        guard let json else { return nil }
        guard json.dictionary != nil else { throw Mistake(message: "a body is not JSON object") }
        do {
            var encoder = FleeceEncoder()
            try encoder.write(json)
            return try FleeceDocument(trusted: encoder.finish())
        } catch let error as FleeceError {
            throw Mistake(message: error.message)
        }
    }

    private static func expiration(_ value: FleeceValue?) -> Expiration? {
        guard let value else { return nil }
        return value.int.map(Expiration.at) ?? .never
    }
}

extension PatchLine {
    /// The line that takes this one back.
    ///
    /// Throws a `Mistake` if it does not have the old body.
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
            throw Mistake(message: error.message)
        }
        do {
            try line.requireWhole()
        } catch is Mistake {
            throw Mistake(
                message: "the line does not say what was there before; only a patch of "
                    + "diff --both can be reversed")
        }
        return line
    }
}
