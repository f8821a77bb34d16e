import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("A database that a command creates")
struct NewDatabaseTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase()
    }

    /// The contents of the test's directory, including drafts and leftovers.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: database.directory.path) }
    }

    @Test("is removed if an import fails before a document is committed")
    func failedImport() throws {
        try database.importing(["{", #"{"_id":"a"}"#]).refusal(status: 1)
        #expect(try names == ["new.ndjson"])
        try database.importing([#"{"_id":"a"}"#, "{"]).refusal(status: 1)
        #expect(try database.exported() == [#"{"_id":"a"}"#])
        // The database existed before this import.
        try database.importing(["{"]).refusal(status: 1)
        #expect(try database.exported().count == 1)
    }

    @Test("is kept empty after an import of no documents, and after another one that fails")
    func emptyBefore() throws {
        try database.importing([]).success()
        let before = try database.contents
        try database.importing(["{"]).refusal(status: 1)
        #expect(try database.contents.names == before.names)
        #expect(try database.exported() == [])
    }

    @Test("in a directory of the user does not remove the directory")
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

    @Test("is removed if no document could be generated, also with its collection")
    func failedGeneration() throws {
        let template = try database.newFile("t.json", Data(#"{"_id":"{{integer(1, 2)}}"}"#.utf8))
        let arguments = ["gen", "--template", template, "--database", database.path]
        try Kvtool.run(arguments + ["--collection", "hr.staff"]).refusal(status: 1)
        #expect(try names == ["t.json"])
    }

    @Test("is removed if not even the first batch of a dump was committed")
    func failedLoad() throws {
        let other = try SampleDatabase(people: 3)
        let whole = try SampleDatabase.bytes(other.dump())
        let half = try database.newFile("half", whole.prefix(whole.count / 2))
        let complaint = try Kvtool.run(["load", database.path, half]).refusal(status: 5)
        #expect(complaint.hasPrefix("\(half) is truncated after line "))
        #expect(complaint.hasSuffix("; nothing was loaded"))
        #expect(try names == ["half"])
    }

    @Test("is not created for a dump of which only the first line was read")
    func firstLine() throws {
        let other = try SampleDatabase(people: 1)
        let lines = try SampleDatabase.bytes(other.dump()).split(separator: 0x0A)
        let first = try database.newFile("first", lines[0] + [0x0A])
        #expect(
            try Kvtool.run(["load", database.path, first]).refusal(status: 5)
                == "\(first) is truncated after line 1; nothing was loaded")
        #expect(
            try Kvtool.run(["load", database.path, first, "--dry-run"]).refusal(status: 5)
                == "\(first) is truncated after line 1")
        let wrong = try database.newFile("wrong", lines[0] + [0x0A] + lines[2] + [0x0A])
        #expect(
            try Kvtool.run(["load", database.path, wrong]).refusal(status: 5)
                == "\(wrong), line 2: the checksum of the first line is expected before it; "
                + "nothing was loaded")
        #expect(try names.sorted() == ["first", "wrong"])
    }

    @Test("is kept if it has a tombstone, or other processes have it open")
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
