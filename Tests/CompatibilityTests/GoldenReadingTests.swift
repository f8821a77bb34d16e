import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Reading real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenReadingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("the file's properties are read", arguments: GoldenDatabase.all)
    func fileInfo(golden: GoldenDatabase) throws {
        let file = try DataFile(path: golden.copy(to: directory))
        #expect(file.schemaVersion == golden.schemaVersion)
        #expect(!file.isImmutable)
        try file.read { snapshot in
            let info = try snapshot.fileInfo()
            #expect(info.schemaVersion == golden.schemaVersion)
            #expect(info.versioning == golden.versioning)
            #expect(
                try snapshot.indexes().map { "\($0.keyStore.rawName).\($0.name)" } == golden.indexes
            )
            let report = try golden.expected("txt")
            let keyCount = try #require(info.sharedKeyCount)
            #expect(report.contains("Shared keys: \(keyCount)\n"))
            for uuid in [info.publicUUID, info.privateUUID] {
                let text = try #require(uuid).map { String(format: "%02x", $0) }.joined()
                #expect(report.contains(text))
            }
        }
    }

    @Test(
        "all collections are read, with their live and deleted documents",
        arguments: GoldenDatabase.all)
    func counts(golden: GoldenDatabase) throws {
        let file = try DataFile(path: golden.copy(to: directory))
        try file.read { snapshot in
            var counts: [String: [Int]] = [:]
            for name in try snapshot.collectionNames() {
                let (live, deleted) = try DocumentCollection(name).count(in: snapshot)
                counts[name.description] = [live, deleted]
            }
            #expect(counts == golden.counts)
        }
    }

    @Test(
        "documents are the same JSON lines as in the export of LiteCore's tool",
        arguments: GoldenDatabase.all)
    func bodies(golden: GoldenDatabase) throws {
        let file = try DataFile(path: golden.copy(to: directory))
        var lines: [String] = []
        try file.read { snapshot in
            try DocumentCollection(.default).forEach(in: snapshot) { document in
                var writer = JSONWriter()
                try document.get().write(to: &writer)
                lines.append(writer.text.string)
            }
        }
        // The tool writes an extra comma for an empty document.
        let expected = try golden.expected("ndjson").split(separator: "\n")
            .map { $0.replacingOccurrences(of: "\",}", with: "\"}") }
        #expect(lines.sorted() == expected.sorted())
    }

    @Test(
        "revisions, flags and sequences are those that LiteCore's tool lists",
        arguments: GoldenDatabase.all)
    func listing(golden: GoldenDatabase) throws {
        let file = try DataFile(path: golden.copy(to: directory))
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.content = .metadata
        var rows: [[String]] = []
        try file.read { snapshot in
            let records = try DocumentCollection(.default).records(options, in: snapshot)
            while let record = try records.next() {
                let revision = try #require(try record.revisionID()?.description)
                let flags = record.flags
                // The tool truncates digests after 10 digits, and shows three of the flags.
                let isCut = golden.versioning != .versionVectors && revision.count > 12
                rows.append([
                    record.key, isCut ? revision.prefix(12) + "..." : revision,
                    (flags.contains(.deleted) ? "d" : "-")
                        + (flags.contains(.conflicted) ? "c" : "-")
                        + (flags.contains(.hasAttachments) ? "a" : "-"),
                    "\(record.sequence)",
                ])
            }
        }
        let listing = try golden.expected("txt").components(separatedBy: "$ ls -l --seq (all)\n")
        let expected = try #require(listing.last).split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ").prefix(4).map(String.init) }
        #expect(rows == expected)
    }

    @Test("the document that expires, and the tombstones, are read as such")
    func expirationAndTombstones() throws {
        let file = try DataFile(
            path: GoldenDatabase.named("sample_vectors_503").copy(to: directory))
        try file.read { snapshot in
            let expiring = try #require(
                try DocumentCollection(.default).get("expiring", in: snapshot))
            #expect(expiring.expiration == 4_102_444_800_000)
            let deleted = try #require(
                try DocumentCollection(.default).get("deleted", includesDeleted: true, in: snapshot)
            )
            #expect(deleted.isDeleted)
            #expect(deleted.properties == nil)
            #expect(deleted.sequence == 105)
        }
    }

    @Test("each row's format is detected from the row", arguments: GoldenDatabase.all)
    func layouts(golden: GoldenDatabase) throws {
        let file = try DataFile(path: golden.copy(to: directory))
        var layouts: Set<RecordLayout> = []
        try file.read { snapshot in
            for name in try snapshot.collectionNames() {
                let records = try DocumentCollection(name).records(.init(), in: snapshot)
                while let record = try records.next() { layouts.insert(record.layout) }
            }
        }
        switch golden.versioning {
        case .treesInBody: #expect(layouts == [.treeInBody])
        case .treesInExtra: #expect(layouts == [.treeInExtra])
        case .versionVectors: #expect(layouts == [.versionVector])
        }
    }
}
