import DataFileCore
import EngineTestSupport
import ExampleModels
import FleeceLite
import Foundation
import ProjectTestSupport
import QueryFunctions
import SQLCore
import SampleData
import Testing

/// An index on the results of the example's model for the sample's people.
@Suite("A predictive index of the example's model")
struct PredictiveIndexNewsletterTests {
    private static let weights = PackageDirectory.url.appending(
        path: "Examples/newsletter-model.json"
    ).path
    private static let prediction = """
        prediction('newsletter/index', {'active': active, 'score': score, \
        'memberSince': memberSince, 'likes': likes}, .reader)
        """

    private let fixture: PredictiveFixture
    private let file: DataFile
    private let model: NewsletterModel

    init() throws {
        model = try NewsletterModel(contentsOf: Self.weights)
        PredictiveModels.register(model, as: "newsletter/index")
        fixture = try PredictiveFixture()
        file = try fixture.open()
    }

    private func save(_ people: [String]) throws {
        try file.write { transaction in
            for person in people {
                _ = try fixture.people.save(in: transaction) { encoder in
                    try Array(person.utf8).withUnsafeBytes {
                        try encoder.writeJSON($0, lifting: "_id")
                    }
                }
            }
        }
    }

    /// The results of the model for each document, called without the index.
    private func expected() throws -> [String] {
        var lines: [String] = []
        try file.read { snapshot in
            try fixture.people.forEach(in: snapshot) { row in
                let document = try row.get()
                let properties = try #require(document.properties)
                let answer = try model.predict(properties)
                if let reader = answer?["reader"]?.string {
                    lines.append("\(document.id) \(reader)")
                }
            }
        }
        return lines
    }

    /// The contents of the index, in the order of its keys.
    private func indexed(_ reader: String) throws -> [String] {
        let table = try #require(
            try fixture.engine.rows("SELECT indexTableName FROM indexes").first)
        let sql = """
            SELECT key FROM \(table.sqlName) AS p INDEXED BY byReader
            JOIN kv_default ON kv_default.rowid = p.docid
            WHERE fl_unnested_value(p.body, '.reader') = \(reader.sqlLiteral)
            """
        return try file.read { try $0.connection().context.lines(sql) }
    }

    private func expectSame() throws {
        let found = try ["yes", "perhaps", "no"].flatMap { reader in
            try indexed(reader).map { "\($0) \(reader)" }
        }
        #expect(found.sorted() == (try expected().sorted()))
    }

    @Test("has the model's results for 1,000 people, and follows their changes")
    func people() throws {
        var random = SeededGenerator(printing: "PredictiveIndexNewsletterTests.people")
        let people = Array(People(count: 1000, seed: random.next()))
        try save(Array(people[..<600]))
        try fixture.create(.predictive("byReader", on: .sqlPlusPlus(Self.prediction)), in: file)
        try expectSame()
        try save(Array(people[600...]))
        for reader in ["yes", "perhaps", "no"] { #expect(try indexed(reader).count > 100) }
        try expectSame()
        try file.write { transaction in
            for _ in 0..<300 {
                let id = "person-" + String(String(10_001 + random.below(1000)).dropFirst())
                guard var person = try fixture.people.get(id, in: transaction)?.mutableCopy() else {
                    continue
                }
                switch random.below(4) {
                case 0: _ = try fixture.people.delete(id, in: transaction)
                case 1: person["active"] = nil
                case 2: person["score"] = .double(Double(random.below(100)))
                default: person["likes"] = ["reading", "films", "music"]
                }
                // The document does not exist where it was deleted.
                if try fixture.people.get(id, in: transaction) != nil {
                    _ = try fixture.people.save(&person, in: transaction)
                }
            }
        }
        try expectSame()
        #expect(try expected().count < 1000)
        try fixture.expectWhole(file)
    }
}
