import DocumentStore
import Foundation
import StoreTestSupport

/// A data file whose writer was killed, and the problems in it.
struct KilledFile {
    let path: String

    static let documents = DocumentCollection(.default)
    static let store = KeyStore(.default)
    /// The number of documents in a transaction of `expiry` and `compaction`, except `last`.
    static let parts = 20

    /// Opens the file without maintenance.
    func open(_ access: DataFileOptions.Access = .readOnly) throws -> DataFile {
        var options = DataFileOptions(access: access)
        options.maintenance = false
        options.busyTimeoutMilliseconds = 0
        return try DataFile(path: path, options: options)
    }

    /// The live documents by id: the number in each, and when it expires.
    struct Contents {
        var numbers: [String: Int64] = [:]
        var expirations: [String: Int64] = [:]
        var purges: Int64 = 0
        var lastSequence: Int64 = 0
        var last: Int64 { numbers["last"] ?? 0 }
        var problems: [String] = []
    }

    /// Reads everything, twice: opening the file must not change its contents.
    func contents() throws -> Contents {
        var found = try read()
        let again = try read()
        if again.numbers != found.numbers { found.problems.append("the second reading differs") }
        return found
    }

    private func read() throws -> Contents {
        // As the first to open it after the crash: a reader alone finds the same.
        let file = try open(.readWrite)
        defer { file.close() }
        var contents = Contents()
        let report = try file.integrityCheck()
        contents.problems += report.findings.map(\.message)
        try file.read { snapshot in
            let last = try Self.store.lastSequence(in: snapshot)
            var sequences: Set<Int64> = []
            try Self.documents.forEach(in: snapshot) { row in
                let document = try row.get()
                contents.numbers[document.id] = document["n"]?.int
                contents.expirations[document.id] = document.expiration
                if !(1...last).contains(document.sequence)
                    || !sequences.insert(document.sequence).inserted
                {
                    contents.problems.append("\(document.id) has sequence \(document.sequence)")
                }
            }
            let count = try Self.store.count(in: snapshot)
            if count != (contents.numbers.count, 0) { contents.problems.append("\(count)") }
            contents.purges = try Self.store.purgeCount(in: snapshot)
            contents.lastSequence = last
        }
        return contents
    }
}

extension KilledFile {
    /// Checks that each document has its blob, and that a compaction leaves no other files in the
    /// blob directory; returns how many were removed.
    func collectBlobs() throws -> (removed: Int, problems: [String]) {
        var options = DataFileOptions(access: .readWrite)
        options.maintenance = false
        options.blobGraceSeconds = 0
        let file = try DataFile(path: path, options: options)
        defer { file.close() }
        var names: Set<String> = []
        try file.read { snapshot in
            try Self.documents.forEach(in: snapshot) { row in
                guard let blob = try row.get()["blob"]?.blob else { return }
                names.insert(blob.digest.fileName)
                try file.blobs.verify(blob)
            }
        }
        let removed = try file.compact().removedBlobs
        let directory = path + "/Attachments"
        let left =
            FileManager.default.fileExists(atPath: directory)
            ? try FileManager.default.contentsOfDirectory(atPath: directory) : []
        return (removed, Set(left) == names ? [] : ["\(left), not \(names)"])
    }
}
