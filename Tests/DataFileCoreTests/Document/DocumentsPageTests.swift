import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import StoreFormat
import Testing

/// The programs of docs/documents.md.
@Suite("docs/documents.md")
struct DocumentsPageTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    @Test("the programs compile, and have the documented results")
    func programs() throws {
        try readingAndWriting()
        try changing()
        try types()
        try many()
        try history()
        try conflicts()
        try versions()
    }

    private func readingAndWriting() throws {
        // page begins
        try file.write { transaction in
            _ = try people.save("ada", in: transaction) {
                try $0.writeJSON(#"{"name": "Ada", "age": 36}"#)
            }
            _ = try people.save(in: transaction) { encoder in
                try encoder.writeJSON(#"{"name": "Eve"}"#)
                return nil  // generates the ID
            }
        }
        let age = try file.read { try people.get("ada", in: $0)?["age"]?.int }
        // page ends
        #expect(age == 36)
        #expect(try file.read { try people.count(in: $0) } == (2, 0))
    }

    private func changing() throws {
        // page begins
        guard var ada = try file.read({ try people.get("ada", in: $0) })?.mutableCopy() else {
            return
        }
        ada["age"] = 37
        ada["address"] = ["city": "London"]
        let result = try file.write { try people.save(&ada, in: $0) }
        // page ends
        #expect(result.saved != nil)
        try fixture.save("ada", #"{"age":40}"#, in: file)
        // page begins
        _ = try file.write { transaction in
            try people.save(
                &ada,
                onConflict: .merge { mine, theirs in
                    var merged = mine
                    merged["age"] = .int(max(mine["age"]?.int ?? 0, theirs?["age"]?.int ?? 0))
                    return merged
                }, in: transaction)
        }
        // page ends
        #expect(
            try fixture.json("ada", in: file)
                == #"{"_id":"ada","address":{"city":"London"},"age":40,"name":"Ada"}"#)
    }

    private func types() throws {
        // page begins
        struct Person: Codable, Sendable {
            var name: String
            var age: Int?
        }

        let persons = people.of(Person.self)
        _ = try file.write { transaction in
            try persons.save(Person(name: "Grace", age: 85), id: "grace", in: transaction)
        }
        if var grace = try file.read({ try persons.get("grace", in: $0) }) {
            grace.age = 86
            _ = try file.write { try persons.save(&grace, in: $0) }
        }
        let name = try file.read { try persons.value("grace", in: $0) }?.name
        // page ends
        #expect(name == "Grace")
        #expect(try fixture.json("grace", in: file)?.contains("86") == true)
    }

    private func many() throws {
        var counts: [Int] = []
        func show(_ count: Int) { counts.append(count) }
        // page begins
        let batch = try file.write { transaction in
            try people.save(
                contentsOf: (1...5000).lazy.map { MutableDocument("p\($0)", ["number": .int($0)]) },
                in: transaction, every: 1000
            ) { count in show(count) }
        }
        // page ends
        #expect(batch.saved == 5000)
        #expect(counts == [1000, 2000, 3000, 4000, 5000])
    }

    private func history() throws {
        // page begins
        let history = try file.read { try people.history(of: "ada", in: $0) }
        let current = history?.revisionID
        let remotes = history?.remotes  // the revision that each is known to have
        // page ends
        #expect(current != nil)
        #expect(remotes == [:])
    }

    private func conflicts() throws {
        let theirs = try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
        try file.write { transaction in
            _ = try people.insert("ada", history: [theirs], remote: 1, in: transaction) {
                try $0.writeJSON(#"{"name":"Countess"}"#)
            }
        }
        // page begins
        _ = try file.write { transaction in
            try people.resolveConflicts(of: "ada", in: transaction) { current, other in
                other.isDeleted ? .keepCurrent : .takeOther
            }
        }
        // page ends
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","name":"Countess"}"#)
    }

    private func versions() throws {
        // page begins
        let info = try DocumentCollection(CollectionName("app.info"))
        let migrator = CollectionMigrator(
            [
                CollectionMigration("where the version is stored") { try info.create(in: $0) },
                CollectionMigration("index of names") { transaction in
                    try DocumentCollection(.default)
                        .createIndex(.value("byName", on: "name"), in: transaction)
                },
            ],
            versionIn: info)
        try migrator.migrate(file)
        let version = try file.read { try migrator.version(in: $0) }  // 2
        // page ends
        #expect(version == 2)
        #expect(try file.read { try people.indexes(in: $0).map(\.name) } == ["byName"])
    }

    @Test("the programs are those above, in order")
    func sameText() throws {
        let here = URL(fileURLWithPath: #filePath)
        #expect(try PagePrograms.inSource(here) == PagePrograms.onPage("documents.md"))
    }
}
