import DataFileCore
import EngineTestSupport
import Foundation
import Testing

/// The programs of docs/indexes.md.
@Suite("docs/indexes.md")
struct IndexesPageTests {
    let fixture: StoreFixture
    let file: DataFile
    let people = DocumentCollection(.default)

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    @Test("the programs compile, and do what the page says")
    func programs() throws {
        try fixture.save("ada", #"{"age":36,"name":{"last":"Lovelace"},"likes":["tea"]}"#, in: file)
        try making()
        try progress()
    }

    private func making() throws {
        // page begins
        try file.write { transaction in
            try people.createIndex(.value("byAge", on: "age, name.last"), in: transaction)
            try people.createIndex(
                .value("byStateOfWomen", on: "address.state", where: "gender = 'female'"),
                in: transaction)
            try people.createIndex(
                .fullText("byBio", on: "title, bio", .init(language: "en")), in: transaction)
            try people.createIndex(.array("byLike", path: "likes"), in: transaction)
            try people.createIndex(
                .array("byPhone", path: "contacts[].phones", on: "kind, number"), in: transaction)
        }
        // page ends
    }

    private func progress() throws {
        let print: (String) -> Void = { #expect($0.hasSuffix(" %")) }
        // page begins
        let isNew = try file.write { transaction in
            try people.createIndex(
                .value("byLowerName", on: "lower(name.last)"), in: transaction,
                progress: { progress in
                    print("\(Int(progress.fraction * 100)) %")
                    return true  // false cancels it with CancellationError
                })
        }
        let names = try file.read { try people.indexes(in: $0).map(\.name) }
        try file.write { transaction in
            _ = try people.deleteIndex("byLowerName", in: transaction)
        }
        // page ends
        #expect(isNew)
        #expect(
            names == ["byAge", "byBio", "byLike", "byLowerName", "byPhone", "byStateOfWomen"])
        #expect(try file.read { try people.indexes(in: $0).count } == 5)
        #expect(try file.integrityCheck().isIntact)
    }

    @Test("the page has these programs, and no others")
    func page() throws {
        let here = URL(fileURLWithPath: #filePath)
        let predictive = here.deletingLastPathComponent().appendingPathComponent(
            "PredictiveIndexPageTests.swift")
        let programs = try PagePrograms.inSource(here) + PagePrograms.inSource(predictive)
        #expect(try programs == PagePrograms.onPage("indexes.md"))
    }
}
