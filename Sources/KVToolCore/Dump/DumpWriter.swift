package import DocumentStore
internal import StorePlatform
internal import StoreTools

/// Writes a database as lines; see `DumpFormat`.
package struct DumpWriter: ~Copyable {
    private var target: DumpTarget
    private var body: BodyText
    /// The JSON of a body; its memory is reused.
    private var json = JSONText()
    package private(set) var rows = 0
    package private(set) var blobs = 0
    /// Damaged encrypted blobs, which the dump does not contain.
    package private(set) var damagedBlobs: [BlobDigest] = []
    private var progress = Progress("row")

    package init(_ target: consuming DumpTarget, sharedKeys: SharedKeys) throws {
        self.target = target
        body = try BodyText(sharedKeys: sharedKeys)
    }

    /// Writes the whole database.
    package mutating func write(_ file: DataFile, _ snapshot: Snapshot, withBlobs: Bool) throws {
        defer { progress.finish() }
        var header = JSONObject()
        header.add("dump", DumpFormat.name)
        header.add("schema", file.schemaVersion)
        header.add("versioning", try snapshot.versioning().rawValue)
        header.add("sharedKeys", snapshot.sharedKeys.keys)
        try add(header)
        try target.check()
        let names = try snapshot.keyStoreNames()
        for name in names.filter({ $0 == .info }) + names.filter({ $0 != .info }) {
            try write(KeyStore(name), snapshot)
        }
        try writeMeta(snapshot)
        for index in try snapshot.storedIndexes() { try write(index) }
        try target.check()
        if withBlobs { try writeBlobs(file, snapshot) }
        try target.finish(blobs: blobs)
    }

    private mutating func write(_ store: KeyStore, _ snapshot: Snapshot) throws {
        guard try store.unreadableRowCount(in: snapshot) == 0 else {
            throw ToolError(
                "the store \(Text.line(store.name.rawName)) has rows whose keys are not strings; "
                    + "recover the database first", status: .damaged)
        }
        var object = JSONObject()
        object.add("store", store.name.rawName)
        try add(object)
        let isCollection = store.name.isCollection
        try store.forEachStoredRow(in: snapshot) { row in
            // The mark of an unfinished load.
            if !isCollection, row.key == DumpFormat.mark { throw Self.unfinished }
            if store.name == .info, row.key == DumpFormat.blobKeyRow { return true }
            try write(row, isCollection: isCollection)
            return true
        }
    }

    private static var unfinished: ToolError {
        ToolError(
            "the database is incomplete: load was interrupted; run the same load to finish",
            status: .conflict)
    }

    private mutating func write(_ row: borrowing StoredRowView, isCollection: Bool) throws {
        target.text.append(#"{"k":"#)
        addQuoted(row.key)
        if let sequence = row.sequence { add(#","s":"#, sequence) }
        add(#","f":"#, row.flags)
        row.withVersion { bytes in
            if let bytes { add(#","v":"#, hexadecimal: bytes) }
        }
        row.withExtra { bytes in
            if let bytes { add(#","x":"#, base64: bytes) }
        }
        if let expiration = row.expiration { add(#","e":"#, expiration) }
        if row.isInTombstoneTable { target.text.append(#","t":true"#) }
        row.withBody { bytes in
            guard let bytes else { return }
            if !isCollection || !addJSON(bytes) { add(#","B":"#, base64: bytes) }
        }
        target.text.append("}\n")
        try target.endLine()
        rows += 1
        if rows & 1023 == 0 {
            try Interruption.check()
            progress.update(rows)
        }
    }

    private mutating func addJSON(_ bytes: UnsafeRawBufferPointer) -> Bool {
        json.utf8.removeAll(keepingCapacity: true)
        guard body.append(bytes, to: &json) else { return false }
        add(#","n":"#, Int64(json.utf8.count))
        target.text.append(#","b":"#)
        target.text.utf8 += json.utf8
        return true
    }

    private mutating func add(_ name: StaticString, _ number: Int64) {
        target.text.append(name)
        target.text.append(number)
    }

    private mutating func add(_ name: StaticString, base64 bytes: UnsafeRawBufferPointer) {
        target.text.append(name)
        target.text.utf8.append(UInt8(ascii: "\""))
        Base64.encode(bytes) { target.text.utf8.append($0) }
        target.text.utf8.append(UInt8(ascii: "\""))
    }

    private mutating func add(_ name: StaticString, hexadecimal bytes: UnsafeRawBufferPointer) {
        target.text.append(name)
        target.text.utf8.append(UInt8(ascii: "\""))
        for byte in bytes {
            target.text.utf8.append(Hexadecimal.digit(byte >> 4))
            target.text.utf8.append(Hexadecimal.digit(byte))
        }
        target.text.utf8.append(UInt8(ascii: "\""))
    }

    /// Adds a quoted key. Most keys need no escapes, for which memory would be allocated.
    private mutating func addQuoted(_ key: String) {
        let isPlain = key.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        guard isPlain else { return target.text.append(quoted: key) }
        target.text.utf8.append(UInt8(ascii: "\""))
        target.text.utf8.append(contentsOf: key.utf8)
        target.text.utf8.append(UInt8(ascii: "\""))
    }

    private mutating func writeMeta(_ snapshot: Snapshot) throws {
        var object = JSONObject()
        object.add(
            "meta",
            try snapshot.kvmetaRows().map { row in
                var inner = JSONObject()
                inner.add("name", row.name)
                inner.add("lastSeq", row.lastSequence)
                inner.add("purgeCnt", row.purgeCount)
                return inner.finished()
            })
        try add(object)
    }

    private mutating func write(_ index: StoredIndex) throws {
        var inner = JSONObject()
        inner.add("name", index.name)
        inner.add("kind", index.kind?.rawValue)
        inner.add("store", index.keyStore.rawName)
        inner.add("expression", index.expression)
        inner.add("where", index.condition)
        inner.add("table", index.table)
        inner.add("lastSeq", index.lastSequences)
        inner.add("tokenizer", index.tokenizerArguments)
        inner.add("leavesFailuresOut", index.leavesFailuresOut)
        if let options = index.vectorOptions {
            var vector = JSONObject()
            vector.add("dimensions", options.dimensions)
            vector.add("metric", options.metric.rawValue)
            vector.add("encoding", options.encoding.rawValue)
            vector.add("probes", options.probes)
            vector.add("isLazy", options.isLazy)
            inner.add("vector", vector.finished())
        }
        var object = JSONObject()
        object.add("index", inner.finished())
        try add(object)
    }

    private mutating func add(_ object: consuming JSONObject) throws {
        target.text.utf8 += object.finished().utf8
        target.text.append("\n")
        try target.endLine()
    }
}

extension DumpWriter {
    private mutating func writeBlobs(_ file: DataFile, _ snapshot: Snapshot) throws {
        for digest in try file.blobs.digests() {
            let blob = Blob(digest: digest)
            // No document refers to a blob that is removed in the meantime.
            guard try isReadable(blob, file), let size = try file.blobs.size(of: blob)
            else { continue }
            let reader = try file.blobs.open(blob)
            if target.isArchive {
                try writeFile(digest, size, reader)
            } else {
                try writeLines(digest, size, reader)
            }
            blobs += 1
        }
        // Blobs whose files do not contain their digest, which are therefore not listed.
        let known = Set(damagedBlobs)
        damagedBlobs += try snapshot.damagedBlobs(in: file.blobs).filter { !known.contains($0) }
    }

    /// Verifies an encrypted blob before its header is written. A damaged blob without encryption
    /// can still be read.
    private mutating func isReadable(_ blob: Blob, _ file: DataFile) throws -> Bool {
        guard file.options.encryption != nil else { return true }
        do {
            try file.blobs.verify(blob)
        } catch let error as StoreError where error.has(.corruptData) {
            damagedBlobs.append(blob.digest)
            return false
        } catch let error as StoreError where error.has(.notFound) {
            return false
        }
        return true
    }

    private mutating func writeFile(
        _ digest: BlobDigest, _ size: Int, _ reader: BlobReader
    ) throws {
        try target.beginFile(DumpFormat.blobDirectory + digest.fileName, size: size)
        var left = size
        while left > 0 {
            let piece = try next(reader, digest, atMost: min(1 << 18, left))
            left -= piece.count
            try target.writeFile(piece)
        }
        try target.endFile(size: size)
    }

    private mutating func writeLines(
        _ digest: BlobDigest, _ size: Int, _ reader: BlobReader
    ) throws {
        var object = JSONObject()
        object.add("blob", digest.description)
        object.add("bytes", size)
        object.add("pieces", (size + DumpFormat.piece - 1) / DumpFormat.piece)
        try add(object)
        var left = size
        while left > 0 {
            // All pieces but the last have the same length, so that their number is known.
            var piece: [UInt8] = []
            let length = min(DumpFormat.piece, left)
            while piece.count < length {
                piece += try next(reader, digest, atMost: length - piece.count)
            }
            left -= length
            piece.withUnsafeBytes { add(#"{"data":"#, base64: $0) }
            target.text.append("}\n")
            try target.endLine(mayCheck: false)
        }
        try target.check()
    }

    private func next(
        _ reader: BlobReader, _ digest: BlobDigest, atMost maximum: Int
    ) throws -> [UInt8] {
        try Interruption.check()
        let piece = try reader.readChunk(maximum: maximum)
        guard !piece.isEmpty else { throw ToolError("the blob \(digest) was truncated") }
        return piece
    }
}
