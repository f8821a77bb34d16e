internal import DataFileCore
internal import FleeceLite
internal import Replication

// The body of a revision that is sent.
extension RemoteDocument {
    /// The properties as JSON; `{}` if there are none.
    func sentBody(_ wishes: ReceiverWishes) throws -> [UInt8] {
        if fleece == nil, wishes.understandsBlobs || !mayHaveBlobs {
            return body.isEmpty ? Array("{}".utf8) : body
        }
        let properties = try decoded().root
        var writer = JSONWriter()
        let attachments = wishes.understandsBlobs ? [] : try Self.attachments(in: properties)
        if attachments.isEmpty {
            try writer.write(properties)
        } else {
            let list = try Self.list(
                attachments, generation: generation, before: properties.dictionary)
            var rest = properties.dictionary.map { MutableFleeceDictionary($0) } ?? [:]
            rest[BlobKey.attachments] = nil
            try writer.write(
                JSONBody.document(rest).root.dictionary, after: [(BlobKey.attachments, list)])
        }
        return writer.text.utf8
    }

    private var mayHaveBlobs: Bool { body.withUnsafeBytes { $0.hasMark("\"digest\"") } }

    /// The generation of a revision in a tree; nil for a version.
    private var generation: Int64? {
        revision.firstIndex(of: "-").flatMap { Int64(revision[..<$0]) }
    }

    /// The references to blobs, with the pointers to them (RFC 6901).
    private static func attachments(
        in value: FleeceValue, at pointer: String = ""
    ) throws -> [(pointer: String, blob: Blob)] {
        if let dictionary = value.dictionary {
            if !pointer.isEmpty, let blob = value.blob { return [(pointer, blob)] }
            return try dictionary.flatMap { key, value in
                let name = key.replacing("~", with: "~0").replacing("/", with: "~1")
                return try attachments(in: value, at: "\(pointer)/\(name)")
            }
        }
        return try value.array?.enumerated().flatMap { index, value in
            try attachments(in: value, at: "\(pointer)/\(index)")
        } ?? []
    }

    /// The member `_attachments` for receivers that do not know references elsewhere.
    private static func list(
        _ attachments: [(pointer: String, blob: Blob)], generation: Int64?,
        before properties: FleeceDictionary?
    ) throws -> JSONText {
        var list =
            properties?[BlobKey.attachments]?.dictionary.map { MutableFleeceDictionary($0) }
            ?? [:]
        for (pointer, blob) in attachments where !pointer.hasPrefix("/\(BlobKey.attachments)/") {
            var stub: MutableFleeceDictionary = [
                "digest": .string(blob.digest.description), "stub": .bool(true),
            ]
            if let length = blob.length { stub["length"] = .int(Int64(length)) }
            if let type = blob.contentType { stub["content_type"] = .string(type) }
            if let generation { stub["revpos"] = .int(generation) }
            list["blob_\(pointer)"] = .dictionary(stub)
        }
        var writer = JSONWriter()
        try writer.write(JSONBody.document(list).root)
        return writer.text
    }
}

// The body of a revision that is received.
extension RemoteDocument {
    /// What the property `_removed` says: that this user may not read the document any more.
    private static let removed = "_removed"

    /// Takes out what is not of the document: properties that begin with `_`. Those in
    /// `_attachments` that only repeat references elsewhere are taken out of it.
    ///
    /// - Returns: whether the user may not read the document any more.
    mutating func removeMetadata() throws -> Bool {
        guard body.withUnsafeBytes({ $0.hasMark("\"_") }),
            let properties = try decoded().root.dictionary
        else { return false }
        if properties[Self.removed]?.bool == true { return true }
        let names = properties.map(\.key).filter { $0.hasPrefix("_") }
        guard !names.isEmpty else { return false }
        var rest = MutableFleeceDictionary(properties)
        for name in names where name != BlobKey.attachments { rest[name] = nil }
        if let attachments = properties[BlobKey.attachments]?.dictionary {
            var old = MutableFleeceDictionary(attachments)
            for (key, _) in attachments where key.hasPrefix("blob_") { old[key] = nil }
            rest[BlobKey.attachments] = old.isEmpty ? nil : .dictionary(old)
        }
        body = Array(try JSONBody.document(rest).root.json().utf8)
        return false
    }
}
