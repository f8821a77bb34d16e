import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import SampleData
import Testing

/// Random histories compared with a dictionary.
@Suite("The store equals its model")
struct HistoryTests {
    /// A document of the model.
    private struct Model {
        var alive: [String: String] = [:]
        var deleted: Set<String> = []
        var sequence: Int64 = 0
    }

    private struct Abandoned: Error {}

    @Test(
        "after 300 random transactions, some of them rolled back",
        arguments: 1...20 as ClosedRange<UInt64>)
    func history(seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        var file = try fixture.open()
        var model = Model()
        for _ in 0..<300 {
            var next = model
            let isAbandoned = random.below(5) == 0
            do {
                try file.write { transaction in
                    for _ in 0...random.below(4) {
                        try step(fixture, &random, &next, transaction)
                    }
                    if isAbandoned { throw Abandoned() }
                }
                model = next
            } catch is Abandoned {}
            if random.below(20) == 0 {
                file.close()
                file = try fixture.open()
            }
        }
        file.close()
        try expect(model, in: fixture)
    }

    private func step(
        _ fixture: StoreFixture, _ random: inout SeededGenerator, _ model: inout Model,
        _ transaction: Transaction
    ) throws {
        let id = "doc-\(random.below(12))"
        switch random.below(6) {
        case 0...2:
            let body = #""key\#(random.below(30))":\#(random.below(5000)),"text":"x""#
            let saved = try fixture.people.save(id, in: transaction) {
                try $0.writeJSON("{\(body)}")
            }
            model.sequence += 1
            #expect(saved.sequence == model.sequence)
            #expect(saved.isNew == (model.alive[id] == nil))
            model.alive[id] = #"{"_id":"\#(id)",\#(body)}"#
            model.deleted.remove(id)
        case 3, 4:
            let deleted = try fixture.people.delete(id, in: transaction)
            #expect((deleted != nil) == (model.alive[id] != nil))
            if model.alive.removeValue(forKey: id) != nil {
                model.deleted.insert(id)
                model.sequence += 1
            }
        default:
            let isPurged = try fixture.people.purge(id, in: transaction)
            let wasThere = model.alive.removeValue(forKey: id) != nil
            #expect(isPurged == (model.deleted.remove(id) != nil || wasThere))
        }
    }

    private func expect(_ model: Model, in fixture: StoreFixture) throws {
        let file = try fixture.open(.readOnly)
        var alive: [String: String] = [:]
        var deleted: Set<String> = []
        var sequences: [Int64] = []
        try file.read { snapshot in
            var options = RecordEnumerator.Options()
            options.includesDeleted = true
            options.order = .sequence
            try fixture.people.forEach(options, in: snapshot) { result in
                let document = try result.get()
                sequences.append(document.sequence)
                if document.isDeleted {
                    deleted.insert(document.id)
                } else {
                    // Keys are in the order of their numbers: compare them sorted.
                    alive[document.id] = try fixture.json(document.id, in: snapshot)
                }
            }
            #expect(
                try fixture.people.keyStore.lastSequence(in: snapshot) == model.sequence)
        }
        #expect(alive.mapValues { sorted($0) } == model.alive.mapValues { sorted($0) })
        #expect(deleted == model.deleted)
        #expect(sequences == Array(Set(sequences)).sorted())
        #expect(
            try fixture.sqlite().selectAll(sql: "PRAGMA integrity_check") == [[.text("ok")]])
    }

    private func sorted(_ json: String) -> [Substring] {
        json.dropFirst().dropLast().split(separator: ",").sorted()
    }
}
