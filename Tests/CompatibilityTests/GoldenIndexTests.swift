import FleeceLite
import SQLCore
import StoreTestSupport
import Testing

@testable import DataFileCore

/// The indexes of the files that LiteCore made, as they are defined with it.
enum SampleIndexes {
    static let all: [(collection: String, spec: IndexSpec)] = [
        ("_default", .value("byState", on: "contact.address.state")),
        ("_default", .value("byName", on: .json(#"[[".name.last"],[".name.first"]]"#))),
        ("_default", .value("partialBday", on: "birthday", where: "gender = 'female'")),
        ("_default", .fullText("byStreet", on: "contact.address.street", .init(language: "en"))),
        ("_default", .array("likesIdx", path: "likes")),
        ("hr.Employees", .value("bySalary", on: "salary")),
    ]

    static func create(in transaction: Transaction) throws -> [Bool] {
        try all.map { collection, spec in
            try Collection(CollectionName(collection)).createIndex(spec, in: transaction)
        }
    }
}

@Suite("The indexes of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenIndexTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The texts of the schema, the tables that FTS4 keeps aside.
    private func schema(_ path: String) throws -> [String: String] {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        let rows = try context.selectAll(
            sql: """
                SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT GLOB 'sqlite_*'
                    AND name NOT GLOB '*_seqs' AND name NOT GLOB 'kv__local*'
                """)
        return Dictionary(
            uniqueKeysWithValues: rows.map { ($0[0].textValue ?? "", $0[1].textValue ?? "") })
    }

    @Test(
        "are the same ones, to the letter, that the same definitions make",
        arguments: ["sample_revtree_503", "sample_vectors_503"])
    func sameText(name: String) throws {
        let ours = folder("ours.cblite2")
        let file = try DataFile(path: ours, options: DataFileOptions(access: .create))
        let made = try file.write { transaction in
            try Collection(CollectionName("hr.Employees")).create(in: transaction)
            return try SampleIndexes.create(in: transaction)
        }
        #expect(made == [true, true, true, true, true, true])
        file.close()
        let theirs = try schema(GoldenDatabase.named(name).copy(to: folder))
        let own = try schema(ours)
        #expect(own.count == 32)
        for (name, text) in theirs { #expect(own[name] == text, "\(name)") }
        #expect(Set(own.keys) == Set(theirs.keys))
    }

    @Test(
        "are taken for what they are: making them again does nothing",
        arguments: ["sample_revtree_503", "sample_vectors_503"])
    func nothingToDo(name: String) throws {
        let path = try GoldenDatabase.named(name).copy(to: folder)
        let before = try schema(path)
        let file = try GoldenDatabase.open(path)
        let made = try file.write { try SampleIndexes.create(in: $0) }
        #expect(made == [false, false, false, false, false, false])
        file.close()
        #expect(try schema(path) == before)
    }
}
