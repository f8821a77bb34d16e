import DataFileCore
import FleeceLite
import Foundation
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// Rows that no engine has written: every operation ends, with an error at worst.
///
/// `STORE_FUZZ_INPUTS` is the number of rows, `STORE_SEED` the first seed.
@Suite("Documents whose rows were damaged at random", .timeLimit(.minutes(20)))
struct DocumentRowFuzzTests {
    private let people = DocumentCollection(.default)

    private struct Columns {
        var flags: Int64
        var version: [UInt8]
        var body: [UInt8]
        var extra: [UInt8]
    }

    @Test(
        "every operation on a document ends",
        arguments: [Versioning.treesInExtra, .versionVectors])
    func everything(_ versioning: Versioning) throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 3000)
        print("DocumentRowFuzzTests: \(count) rows from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        let directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        let file = try DataFile(path: directory("fuzz.cblite2"), options: options)
        let patterns = try patterns(file, versioning)
        for round in 0..<count {
            var row = patterns[Int.random(in: 0..<patterns.count, using: &random)]
            damage(&row, &random)
            let step = Int.random(in: 0..<9, using: &random)
            do {
                try file.write { transaction in
                    try put(row, in: transaction)
                    try act(step, versioning, in: transaction)
                    throw Undone()
                }
            } catch is Undone {
            } catch is StoreError {
            } catch is FleeceError where step == 4 || step == 6 {
                // The program's own data contained damaged parts.
            } catch {
                Issue.record("seed \(seed), round \(round), step \(step): \(error)")
            }
        }
        #expect(try file.integrityCheck().isIntact)
    }

    private struct Undone: Error {}

    private func put(_ row: Columns, in transaction: Transaction) throws {
        _ = try people.keyStore.purge("ada", in: transaction)
        _ = try people.keyStore.put(
            RecordUpdate(
                "ada", version: row.version, body: row.body.isEmpty ? nil : row.body,
                extra: row.extra.isEmpty ? nil : row.extra,
                flags: DocumentFlags(rawValue: UInt16(truncatingIfNeeded: row.flags)),
                expecting: .absent), in: transaction)
    }

    private func act(
        _ step: Int, _ versioning: Versioning, in transaction: Transaction
    ) throws {
        switch step {
        case 0: _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"n":9}"#) }
        case 1: _ = try people.delete("ada", in: transaction)
        case 2:
            _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .keepCurrent }
        case 3: _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .takeOther }
        case 4:
            _ = try people.resolveConflicts(of: "ada", in: transaction) { _, other in
                .merge(other.properties.map { MutableFleeceDictionary($0) } ?? [:])
            }
        case 5:
            let id =
                versioning == .versionVectors
                ? try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
                : RevisionID.digest(generation: 3, digest: [1, 2, 3])
            _ = try people.insert("ada", history: [id], remote: 2, in: transaction) {
                try $0.writeJSON(#"{"n":7}"#)
            }
        case 6:
            guard let ada = try people.get("ada", includesDeleted: true, in: transaction) else {
                return
            }
            var copy = ada.mutableCopy()
            copy["n"] = 8
            _ = try people.save(&copy, in: transaction)
            _ = try people.save(&copy, onConflict: .lastWriteWins, in: transaction)
        case 7:
            let history = try people.history(of: "ada", in: transaction)
            for other in try history?.conflicts() ?? [] { _ = other.properties?.count }
            _ = history?.remotes
        default:
            if versioning != .versionVectors {
                try transaction.upgradeVersioning(to: .versionVectors)
            }
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"n":9}"#) }
            _ = try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .takeOther }
        }
    }

    private func damage(_ row: inout Columns, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: row.flags ^= 1 << Int64.random(in: 0..<8, using: &random)
        case 1: change(&row.version, &random)
        case 2: change(&row.body, &random)
        case 3: swap(&row.body, &row.extra)
        default:
            for _ in 0...Int.random(in: 0..<4, using: &random) { change(&row.extra, &random) }
        }
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return bytes.append(.random(in: 0...255, using: &random)) }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.insert(.random(in: 0...3, using: &random), at: place)
        case 4: bytes.remove(at: place)
        default: bytes[place] = [0, 1, 2, 3, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
    }

    /// Rows with conflicts of two remotes, including retained bodies and tombstones.
    private func patterns(_ file: DataFile, _ versioning: Versioning) throws -> [Columns] {
        try file.write { transaction in
            for id in ["a", "b"] {
                let first = try people.save(id, in: transaction) {
                    try $0.writeJSON(#"{"n":1,"text":"a text of some length","list":[1,{"x":2}]}"#)
                }
                _ = try people.save(id, in: transaction) {
                    try $0.writeJSON(#"{"n":2,"text":"a text of some length"}"#)
                }
                for (remote, letter) in [(1, "E"), (2, "I"), (3, "M")] {
                    let other: [RevisionID] =
                        versioning == .versionVectors
                        ? [
                            try RevisionID(
                                "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAA\(letter)A"
                            )
                        ]
                        : [
                            .digest(generation: 2, digest: [UInt8(remote)] + [5, 6, 7]),
                            first.revisionID,
                        ]
                    _ = try people.insert(
                        id, history: other, isDeleted: id == "b" && remote == 2, remote: remote,
                        in: transaction
                    ) { try $0.writeJSON(#"{"n":3,"text":"a text of some length"}"#) }
                }
            }
            _ = try people.delete("b", in: transaction)
            _ = try people.save("c", in: transaction) { try $0.writeJSON(#"{"n":1}"#) }
            return try ["a", "b", "c"].map { id in
                let record = try #require(try people.keyStore.get(id, in: transaction))
                return Columns(
                    flags: Int64(record.flags.rawValue), version: record.version,
                    body: record.body ?? [], extra: record.extra ?? [])
            }
        }
    }
}
