import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("A database that a command has made")
struct NewDatabaseTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    /// What stands in the test's directory, drafts and leftovers too.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: database.directory.path) }
    }

    @Test("goes again if an import fails before a document is in it")
    func failedImport() throws {
        try database.importing(["{", #"{"_id":"a"}"#]).refusal(status: 1)
        #expect(try names == ["new.ndjson"])
        try database.importing([#"{"_id":"a"}"#, "{"]).refusal(status: 1)
        #expect(try database.exported() == [#"{"_id":"a"}"#])
        // It was there before this one.
        try database.importing(["{"]).refusal(status: 1)
        #expect(try database.exported().count == 1)
    }

    @Test("stays empty after an import of nothing, and after another one that fails")
    func emptyBefore() throws {
        try database.importing([]).success()
        let before = try database.contents
        try database.importing(["{"]).refusal(status: 1)
        #expect(try database.contents.names == before.names)
        #expect(try database.exported() == [])
    }

    @Test("in a directory that somebody has made stays there")
    func emptyDirectory() throws {
        try FileManager.default.createDirectory(
            atPath: database.path, withIntermediateDirectories: false)
        func contents() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: database.path)
        }
        try database.importing(["{"]).refusal(status: 1)
        #expect(try contents() == [])
        let file = database.directory("new.ndjson")
        try Kvtool.run(["cp", file, "\(database.path)//hr.staff"]).refusal(status: 1)
        #expect(try contents() == [])
        let other = try SampleDatabase(lines: [#"{"_id":"a"}"#])
        let copy = ["cp", other.path, database.path, "--existing"]
        // The document has no such property.
        try Kvtool.run(copy + ["--id", "n"]).refusal(status: 1)
        #expect(try contents() == [])
        try Kvtool.run(copy).success()
        #expect(try database.exported() == other.exported())
    }

    @Test("goes again if no document could be made up, also with its collection")
    func failedGeneration() throws {
        let template = try database.newFile("t.json", Data(#"{"_id":"{{integer(1, 2)}}"}"#.utf8))
        let arguments = ["gen", "--template", template, "--database", database.path]
        try Kvtool.run(arguments + ["--collection", "hr.staff"]).refusal(status: 1)
        #expect(try names == ["t.json"])
    }

    @Test("goes again if not even the first batch of a dump came in")
    func failedLoad() throws {
        let other = try SampleDatabase(people: 3)
        let whole = try SampleDatabase.bytes(other.dump())
        let half = try database.newFile("half", whole.prefix(whole.count / 2))
        let complaint = try Kvtool.run(["load", database.path, half]).refusal(status: 5)
        #expect(complaint.hasPrefix("\(half) is cut off after line "))
        #expect(complaint.hasSuffix("; nothing was loaded"))
        #expect(try names == ["half"])
    }

    @Test("is not made for a dump of which only the first line has come")
    func firstLine() throws {
        let other = try SampleDatabase(people: 1)
        let lines = try SampleDatabase.bytes(other.dump()).split(separator: 0x0A)
        let first = try database.newFile("first", lines[0] + [0x0A])
        #expect(
            try Kvtool.run(["load", database.path, first]).refusal(status: 5)
                == "\(first) is cut off after line 1; nothing was loaded")
        #expect(
            try Kvtool.run(["load", database.path, first, "--dry-run"]).refusal(status: 5)
                == "\(first) is cut off after line 1")
        let wrong = try database.newFile("wrong", lines[0] + [0x0A] + lines[2] + [0x0A])
        #expect(
            try Kvtool.run(["load", database.path, wrong]).refusal(status: 5)
                == "\(wrong), line 2: a checksum of the first line is expected before it; "
                + "nothing was loaded")
        #expect(try names.sorted() == ["first", "wrong"])
    }

    @Test("stays while it has a tombstone, or others have it open")
    func others() throws {
        let options = DataFileOptions(access: .create)
        let file = try DataFile(path: database.path, options: options)
        let other = try DataFile(path: database.path, options: options)
        #expect(!NewDatabase.removeIfEmpty(file))
        let staff = DocumentCollection(try CollectionName(argument: "hr.staff"))
        try other.write { transaction in
            try staff.create(in: transaction)
            _ = try staff.save("a", in: transaction) { try $0.writeJSON("{}") }
        }
        try other.write { _ = try staff.delete("a", in: $0) }
        other.close()
        #expect(!NewDatabase.removeIfEmpty(try DataFile(path: database.path, options: options)))
        #expect(try names == ["people.cblite2"])
        #expect(NewDatabase.remove(try DataFile(path: database.path, options: options)))
        #expect(try names == [])
    }
}
