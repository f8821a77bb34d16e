internal import DocumentStore

/// How far a load has come, as it stands in the database that is not whole yet.
struct LoadMark {
    /// The last line whose rows are there.
    var line: Int
    /// The checksum of the lines up to it, by which another dump is told.
    var checksum: String
    /// Whether the database gets UUIDs of its own.
    var newUUIDs: Bool

    init(line: Int, checksum: String, newUUIDs: Bool) {
        (self.line, self.checksum, self.newUUIDs) = (line, checksum, newUUIDs)
    }

    /// The mark of a database; nil if no load has begun it, or it is whole.
    init?(in snapshot: Snapshot) throws {
        guard let record = try KeyStore(.info).getRaw(DumpFormat.mark, in: snapshot),
            let mark = try? FleeceDocument(json: String(decoding: record.body, as: UTF8.self))
                .root.dictionary,
            let line = mark["line"]?.int, line > 0, let checksum = mark["crc32"]?.string
        else { return nil }
        self.init(
            line: Int(line), checksum: checksum, newUUIDs: mark["newUUIDs"]?.bool ?? false)
    }

    /// Writes it into the database.
    func write(in transaction: Transaction) throws {
        var object = JSONObject()
        object.add("line", line)
        object.add("crc32", checksum)
        object.add("newUUIDs", newUUIDs)
        let record = RawRecord(body: object.finished().utf8)
        try KeyStore(.info).putRaw(record, for: DumpFormat.mark, in: transaction)
    }

    /// Removes it: the database is whole.
    static func remove(in transaction: Transaction) throws {
        try KeyStore(.info).putRaw(nil, for: DumpFormat.mark, in: transaction)
    }
}
