import DataFileCore
import EngineTestSupport
import FleeceLite
import ProjectTestSupport
import SQLCore
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Verifying an intact database", .serialized)
struct VerificationHealthyTests {
    private static let all: [VerificationOptions] = [
        .init(), .init(level: .quick), .init(sample: 2), .init(level: .quick, sample: 1),
    ]

    @Test(
        "finds nothing, whatever is in it",
        arguments: [Versioning.versionVectors, .treesInExtra], all)
    func whole(versioning: Versioning, options: VerificationOptions) throws {
        let fixture = try VerificationFixture(versioning, indexes: true)
        let report = try fixture.verify(options)
        #expect(report.found == [], "\(report.findings.map(\.message))")
        #expect(report.isIntact && report.unlisted == 0 && report.indexes == 6)
        #expect(report.blobs == 1 && report.blobBytes == VerificationFixture.photo.count)
        let stores = report.stores.filter(\.name.isCollection)
        #expect(stores.map(\.name.rawName) == [".b", "default"])
        #expect(stores.map(\.allRows) == [4, 8])
        if options.sample == nil {
            #expect(stores.map(\.rows) == [4, 8] && stores.map(\.tombstones) == [1, 1])
            #expect(report.unchecked == [])
        } else {
            #expect(report.unchecked.map(\.subject) == ["whether blobs are unused"])
        }
    }

    @Test("does not change a byte of the file")
    func unchanged() throws {
        let fixture = try VerificationFixture(indexes: true)
        let before = try fixture.engine.rows("SELECT name, sql FROM sqlite_master ORDER BY 1")
        let documents = try fixture.documents()
        let file = try fixture.engine.open()
        #expect(try file.verify().found == [])
        #expect(try file.read { try fixture.people.count(in: $0) } == (7, 1))
        try file.write { transaction in
            _ = try fixture.people.save("new", in: transaction) {
                try $0.writeJSON(#"{"n":9,"text":"more dogs"}"#)
            }
        }
        #expect(try file.verify().found == [])
        file.close()
        #expect(try fixture.engine.rows("SELECT name, sql FROM sqlite_master ORDER BY 1") == before)
        #expect(try fixture.documents().isSuperset(of: documents))
    }

    @Test("finds nothing in an in-memory database")
    func inMemory() throws {
        let file = try DataFile(inMemory: DataFileOptions(access: .create))
        try file.write { transaction in
            try DocumentCollection(.default).createIndex(
                .fullText("words", on: "a"), in: transaction)
            _ = try DocumentCollection(.default).save("a", in: transaction) {
                try $0.writeJSON(#"{"a":"words of a text"}"#)
            }
        }
        let report = try file.verify()
        #expect(report.found == [] && report.unchecked == [])
        #expect(try file.read { try DocumentCollection(.default).count(in: $0) } == (1, 0))
    }

    @Test(
        "finds nothing in what other programs have made",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: [
            "db_3_0_0_names_100_with_deleted", "sample_revtree_503", "sample_vectors_503",
            "upgrade_2.7", "upgrade_2.8_index", "upgrade_3.1_peerCheckpoints",
        ])
    func golden(name: String) throws {
        var options = DataFileOptions(access: .readWrite)
        options.maintenance = false
        let store = try TemporaryStore(
            copyOf: GoldenFiles.file("litecore/\(name).cblite2"), options: options)
        let report = try store.file.verify()
        #expect(report.found == [], "\(report.findings.map(\.message))")
        #expect(report.unchecked == [])
        #expect(report.stores.contains { $0.rows > 0 && $0.rows == $0.allRows })
    }

    @Test("every kind of finding is reported in one line, each with its own text")
    func kinds() {
        for kind in VerificationKind.allCases where kind.isFixable {
            #expect(
                kind.severity == .error || [.laggingSequence, .orphanedTable].contains(kind),
                "\(kind)")
        }
        let sink = VerificationSink(limit: 2, nil)
        for number in 0..<5 {
            sink.add(.damagedBody, "a\nb\u{0} \(number)", store: .default)
            sink.add(.damagedBody, "c", store: .info)
        }
        sink.add(.unusedBlob, "d")
        #expect(sink.report.errors == 10 && sink.report.notes == 1)
        #expect(
            sink.report.findings.map(\.message) == ["a b  0", "c", "a b  1", "c", "d"])
        #expect(sink.report.unlisted == 6)
        sink.skip("x", "y")
        sink.skip("x", "y")
        #expect(sink.report.unchecked == [.init(subject: "x", reason: "y")])
    }

    @Test("a document of a later snapshot does not affect it: it uses one snapshot")
    func snapshot() throws {
        let fixture = try VerificationFixture(indexes: true)
        let file = try fixture.engine.open()
        let isDone = Locked(false)
        let report = try file.verify(
            progress: { _ in
                let isFirst = isDone.withLock { isDone in
                    defer { isDone = true }
                    return !isDone
                }
                guard isFirst else { return true }
                let saved = try? file.write { transaction in
                    try fixture.people.save("late", in: transaction) {
                        try $0.writeJSON(#"{"n":1,"quite":"new","text":"a"}"#)
                    }
                }
                return saved != nil
            })
        #expect(report.found == [])
        #expect(report.stores.first { $0.name == .default }?.rows == 8)
        #expect(try file.verify().found == [])
        #expect(try file.verify().stores.first { $0.name == .default }?.rows == 9)
    }
}
