import DocumentStore

/// Writes beside other processes for a while, and counts what was acknowledged:
/// `CrashWriter PATH count|notes|blobs NAME MILLISECONDS`.
///
/// Transaction n makes the document `<NAME>-<n>`, which must not be there yet, and counts `n` of
/// the document `shared` up by one. With `notes` it makes the records `<NAME>-<n>` of the raw store
/// `notes` instead, which files of any age can have. With `blobs` it is a document that refers to a
/// blob, which the same transaction puts and the other processes put, too; and the one before the
/// tenth last is purged. At the end it says how many there were, how
/// often it was told that the file is busy, and the longest time in milliseconds that a transaction
/// took.
struct Counting {
    enum Work: String {
        case count, notes, blobs
    }

    let work: Work
    let name: String
    let milliseconds: Int

    func run(path: String) throws {
        var options = DataFileOptions(access: .create)
        options.blobGraceSeconds = 0
        let file = try DataFile(path: path, options: options)
        defer { file.close() }
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var (count, busy) = (0, 0)
        var longest = Duration.zero
        while ContinuousClock.now < end {
            let start = ContinuousClock.now
            do {
                try file.write { try write(count + 1, $0, file) }
                count += 1
            } catch let error as StoreError where error.has(.busy) {
                busy += 1
            }
            longest = max(longest, ContinuousClock.now - start)
        }
        let time =
            longest.components.seconds * 1000 + longest.components.attoseconds
            / 1_000_000_000_000_000
        CrashWriter.say("\(count) \(busy) \(time)")
    }

    private func write(_ number: Int, _ transaction: Transaction, _ file: DataFile) throws {
        switch work {
        case .count: try writeDocument(number, transaction)
        case .notes: try writeRaw(number, transaction)
        case .blobs: try writeBlob(number, transaction, file)
        }
    }

    private func writeBlob(_ number: Int, _ transaction: Transaction, _ file: DataFile) throws {
        let blob = try file.blobs.put(Array("\(number % 50)".utf8))
        let documents = CrashWriter.documents
        _ = try documents.save("\(name)-\(number)", in: transaction) { encoder in
            encoder.beginDictionary()
            try encoder.writeKey("blob")
            try encoder.write(blob)
            try encoder.endDictionary()
        }
        _ = try documents.keyStore.purge("\(name)-\(number - 10)", in: transaction)
    }

    private func writeDocument(_ number: Int, _ transaction: Transaction) throws {
        let documents = CrashWriter.documents
        let isNew = try documents.save("\(name)-\(number)", in: transaction) {
            try $0.writeJSON(#"{"n": \#(number)}"#)
        }.isNew
        guard isNew else { throw NotNew() }
        let shared = try documents.get("shared", in: transaction)?["n"]?.int ?? 0
        _ = try documents.save("shared", in: transaction) {
            try $0.writeJSON(#"{"n": \#(shared + 1)}"#)
        }
    }

    private func writeRaw(_ number: Int, _ transaction: Transaction) throws {
        let notes = KeyStore(KeyStoreName("notes"))
        try notes.create(in: transaction)
        let key = "\(name)-\(number)"
        guard try notes.getRaw(key, in: transaction) == nil else { throw NotNew() }
        try notes.putRaw(RawRecord(body: [1]), for: key, in: transaction)
    }

    private struct NotNew: Error {}
}
