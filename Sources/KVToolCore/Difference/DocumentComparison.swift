package import DocumentStore
internal import StorePlatform

/// Compares the two databases' versions of one document.
package struct DocumentComparison {
    /// How much a difference contains.
    package enum Detail {
        /// Only the document's ID.
        case ids
        /// The delta from one body to the other.
        case deltas
        /// The delta and both bodies.
        case bodies
    }

    package var detail = Detail.ids
    /// Properties that are not compared.
    package var ignored: [PropertyPath] = []
    /// Whether expirations are compared.
    package var comparesMetadata = false
    /// Whether a tombstone and a missing document count as different.
    package var comparesTombstones = false

    package init(
        detail: Detail = .ids, ignored: [PropertyPath] = [], comparesMetadata: Bool = false,
        comparesTombstones: Bool = false
    ) {
        self.detail = detail
        self.ignored = ignored
        self.comparesMetadata = comparesMetadata
        self.comparesTombstones = comparesTombstones
    }

    /// Returns the difference between two versions of a document, or nil if there is none.
    ///
    /// - Throws: `.corruptData` for a damaged document.
    func compare(
        _ left: ComparedDocument?, _ right: ComparedDocument?, in collection: CollectionName
    ) throws -> DocumentChange? {
        guard let id = left?.id ?? right?.id else { return nil }
        let liveLeft = left.flatMap { $0.isDeleted ? nil : $0 }
        let liveRight = right.flatMap { $0.isDeleted ? nil : $0 }
        do {
            switch (liveLeft, liveRight) {
            case (let left?, let right?): return try change(left, right, collection)
            case (let left?, nil): return try removal(of: left, right != nil, collection)
            case (nil, let right?): return try addition(of: right, left != nil, collection)
            case (nil, nil):
                guard comparesTombstones, (left == nil) != (right == nil) else { return nil }
                var change = DocumentChange(
                    collection: collection, id: id, kind: left == nil ? .added : .removed)
                change.deleted = right != nil
                change.wasDeleted = left != nil
                return change
            }
        } catch let error as FleeceError {
            throw StoreError(
                .corruptData, "document \"\(Text.line(id))\" cannot be compared: \(error.message)")
        }
    }

    private func removal(
        of old: ComparedDocument, _ leavesTombstone: Bool, _ collection: CollectionName
    ) throws -> DocumentChange {
        var change = DocumentChange(collection: collection, id: old.id, kind: .removed)
        if leavesTombstone || comparesTombstones { change.deleted = leavesTombstone }
        guard detail != .ids else { return change }
        let body = try old.body()
        change.was = try BodyDigest.text(of: body.root)
        if detail == .bodies {
            change.old = try ExactBody(body.root)
            if comparesMetadata { change.oldExpiration = expiration(old) }
        }
        return change
    }

    private func addition(
        of new: ComparedDocument, _ hadTombstone: Bool, _ collection: CollectionName
    ) throws -> DocumentChange {
        var change = DocumentChange(collection: collection, id: new.id, kind: .added)
        if hadTombstone || comparesTombstones { change.wasDeleted = hadTombstone }
        guard detail != .ids else { return change }
        change.body = try ExactBody(new.body().root)
        if comparesMetadata { change.expiration = expiration(new) }
        return change
    }

    private func expiration(_ document: ComparedDocument) -> Cell {
        document.record.expiration.map(Cell.date) ?? .none
    }
}

extension DocumentComparison {
    private func change(
        _ left: ComparedDocument, _ right: ComparedDocument, _ collection: CollectionName
    ) throws -> DocumentChange? {
        let (old, new) = (try left.body(), try right.body())
        let isSame = try old.root == new.root || isSameButIgnored(old, new)
        let hasOtherExpiration =
            comparesMetadata && left.record.expiration != right.record.expiration
        guard !isSame || hasOtherExpiration else { return nil }
        var change = DocumentChange(collection: collection, id: left.id, kind: .changed)
        if hasOtherExpiration {
            change.expiration = right.record.expiration.map(Cell.date) ?? Self.null
            if detail == .bodies {
                change.oldExpiration = left.record.expiration.map(Cell.date) ?? Self.null
            }
        }
        guard !isSame, detail != .ids else { return change }
        change.was = try BodyDigest.text(of: old.root)
        change.delta = try delta(old, new)
        if change.delta != nil, ignored.isEmpty {
            change.isNow = try BodyDigest.text(of: new.root)
        }
        if change.delta == nil || detail == .bodies { change.body = try ExactBody(new.root) }
        if detail == .bodies { change.old = try ExactBody(old.root) }
        return change
    }

    private static var null: Cell {
        var text = JSONText()
        text.append("null")
        return .json(text)
    }

    /// Returns nil if a delta, which is JSON, does not reproduce the body exactly.
    private func delta(_ old: FleeceDocument, _ new: FleeceDocument) throws -> FleeceDelta? {
        let (old, new) = (try reduced(old).root, try reduced(new).root)
        guard let delta = try? FleeceDelta(from: old, to: new),
            let result = try? FleeceDocument(trusted: delta.applied(to: old)), result.root == new
        else { return nil }
        return delta
    }

    private func isSameButIgnored(_ old: FleeceDocument, _ new: FleeceDocument) throws -> Bool {
        guard !ignored.isEmpty else { return false }
        return try reduced(old).root == reduced(new).root
    }

    /// The document without the ignored properties.
    private func reduced(_ document: FleeceDocument) throws -> FleeceDocument {
        guard !ignored.isEmpty, let dictionary = document.root.dictionary else { return document }
        var properties = MutableFleeceDictionary(dictionary)
        for path in ignored where properties[path] != nil { properties[path] = nil }
        var encoder = FleeceEncoder()
        try encoder.write(properties)
        return try FleeceDocument(trusted: encoder.finish())
    }
}

/// A digest by which a patch identifies the body that it was created from.
///
/// 64-bit FNV-1a of the compact JSON with keys sorted by their bytes. It detects accidental
/// differences; it does not resist deliberate collisions.
enum BodyDigest {
    /// 16 hexadecimal digits.
    static func text(of body: FleeceValue) throws -> String {
        var writer = JSONWriter(options: JSONWriter.Options(canonical: true))
        try writer.write(body)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in writer.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Hexadecimal.encoded(hash, digits: 16)
    }
}

/// A body as a patch stores it: JSON, and also Fleece if the JSON does not reproduce the same body.
///
/// JSON cannot represent binary data, infinity, and single-precision numbers.
struct ExactBody {
    let json: JSONText
    /// Without shared keys; nil if the JSON is exact.
    let fleece: [UInt8]?

    init(_ value: FleeceValue) throws {
        var writer = JSONWriter()
        try writer.write(value)
        json = writer.text
        guard !Self.isSame(json, value) else {
            fleece = nil
            return
        }
        var encoder = FleeceEncoder()
        try encoder.write(value)
        fleece = try encoder.finish()
    }

    private static func isSame(_ json: JSONText, _ value: FleeceValue) -> Bool {
        var encoder = FleeceEncoder()
        let bytes = try? json.utf8.withUnsafeBytes { text in
            try encoder.writeJSON(text)
            return try encoder.finish()
        }
        guard let bytes, let document = try? FleeceDocument(trusted: bytes) else { return false }
        return document.root == value
    }
}
