import DataFileCore
import EngineTestSupport
import FleeceLite
import StoreTools
import Testing
@testable import StoreFormat

/// The vector of a merge of a local change with one of a peer has the local source twice.
@Suite("Version vectors that contain the first source twice")
struct RepeatedSourceTests {
    private static let carol = "VVhQDsYqRK+J4izq+bzjMQ"
    private static let dave = "AAAAAAAAAAAAAAAAAAAAEA"
    /// As written by Couchbase Lite 4.2, in the database that merged and in one that pulled it.
    private static let own =
        "18eb053374f10000@*, 18eb053366550000@\(carol), 18eb0533664e0000@*;"
    private static let pulled =
        "18eb053374f10000@\(carol), 18eb053366550000@*, 18eb0533664e0000@\(carol);"

    private func vector(_ text: String) throws -> VersionVector { try VersionVector(text: text) }

    @Test("are read and written as bytes and as text, in any database")
    func forms() throws {
        for text in [
            Self.own, Self.pulled, "9000000000000@*, 3000000000000@*; 4000000000000@\(Self.dave)",
        ] {
            let vector = try vector(text)
            #expect(vector.text == text)
            #expect(try VersionVector(binary: vector.binary) == vector)
            #expect(vector.time(of: vector.first.source) == vector.first.time)
        }
        // Bytes written by Couchbase Lite 4.2.
        let bytes: [UInt8] = [
            0x00, 0x83, 0x80, 0xC0, 0xCC, 0xCD, 0xCC, 0x82, 0xEB, 0x31, 0x80, 0x83,
            0x80, 0xE0, 0xDE, 0x01, 0x90, 0xC5, 0x34, 0xAB, 0x72, 0x08, 0x2D, 0x42,
            0xDB, 0x82, 0x4B, 0xF1, 0xBA, 0xB4, 0xC5, 0xCB, 0x0B, 0x0C, 0x80,
        ]
        #expect(
            try VersionVector(binary: bytes).text
                == "18eb05326cc80001@*, 18eb05325edc0000@xTSrcggtQtuCS/G6tMXLCw, "
                + "18eb05325ed60000@*;")
        #expect(try VersionVector(binary: bytes).binary == bytes)
    }

    @Test(
        "are rejected if the second version is not older, not merged, or one of three",
        arguments: [
            "9000000000000@*, 4000000000000@\(carol), 9000000000000@*;",
            "9000000000000@*, 4000000000000@\(carol), a000000000000@*;",
            "9000000000000@*, 4000000000000@\(carol); 3000000000000@*",
            "9000000000000@*; 3000000000000@*",
            "9000000000000@*, 4000000000000@*, 3000000000000@*;",
            "9000000000000@*, 4000000000000@\(carol), 3000000000000@\(carol);",
            "9000000000000@\(carol), 5000000000000@*, 4000000000000@*;",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: StoreError.self) { try VersionVector(text: text) }
        #expect(error?.has(.badRevisionID) == true)
        let versions = text.dropLast(text.hasSuffix(";") ? 1 : 0).split(separator: ";")
            .enumerated().flatMap { index, group in
                group.split(separator: ",").map { ($0, index == 0 && text.contains(",")) }
            }
        let parsed = try versions.map { part, isCurrent in
            try vector(String(part)).first.marked(isCurrent)
        }
        let spoilt = VersionVector(first: parsed[0], others: Array(parsed.dropFirst()))
        let damage = #expect(throws: StoreError.self) { try VersionVector(binary: spoilt.binary) }
        #expect(damage?.has(.corruptRevisionData) == true)
    }

    @Test("are compared by the later of the two versions")
    func order() throws {
        let merged = try vector(Self.own)
        let cases: [(String, VersionVector.Order)] = [
            (Self.own, .same), ("18eb053374f10000@*; 18eb053366550000@\(Self.carol)", .same),
            ("18eb0533664e0000@*", .newer), ("18eb053366550000@\(Self.carol)", .newer),
            ("18eb053370000000@*", .newer),
            ("18eb053370000000@*; 18eb053366550000@\(Self.carol)", .newer),
            ("18eb053374f20000@*; 18eb053366550000@\(Self.carol)", .older),
            ("18eb053366560000@\(Self.carol)", .conflicting),
            ("18eb053366550000@\(Self.carol); 1000000000000@\(Self.dave)", .conflicting),
        ]
        for (text, order) in cases {
            #expect(try merged.compare(to: vector(text)) == order, "\(text)")
            let opposite: VersionVector.Order =
                order == .newer ? .older : order == .older ? .newer : order
            #expect(try vector(text).compare(to: merged) == opposite, "\(text)")
        }
        #expect(merged.contains(try vector("18eb0533664e0000@*").first))
    }

    @Test("have each source once after a change, and can be merged again")
    func changes() throws {
        let time = LogicalTime(rawValue: 0x18EC_0000_0000_0000)
        let own = try vector(Self.own)
        let changed = own.adding(localTime: time)
        #expect(changed.text == "18ec000000000000@*; 18eb053366550000@\(Self.carol)")
        // A peer's merge: its older version is dropped, too.
        #expect(
            try vector(Self.pulled).adding(localTime: time).text
                == "18ec000000000000@*; 18eb053374f10000@\(Self.carol)")
        let other = try vector("18eb053380000000@\(Self.dave); 18eb0533664e0000@*")
        let merged = own.merging(other, at: time)
        #expect(
            merged.text == "18ec000000000000@*, 18eb053380000000@\(Self.dave), "
                + "18eb053374f10000@*; 18eb053366550000@\(Self.carol)")
        #expect(other.merging(own, at: time) == merged)
        #expect(merged.compare(to: own) == .newer && merged.compare(to: other) == .newer)
    }

    @Test("replace both ids of databases")
    func databases() throws {
        let local = try VersionVector.PeerID([UInt8](repeating: 7, count: 16))
        let own = try vector(Self.own)
        let global = own.globalized(local: local)
        #expect(
            global.text
                == "18eb053374f10000@\(local), 18eb053366550000@\(Self.carol), "
                + "18eb0533664e0000@\(local);")
        #expect(global.localized(local: local) == own)
        guard case .peer(let carol) = try vector(Self.pulled).first.source else { return }
        #expect(try vector(Self.pulled).localized(local: carol).first.source == .local)
    }

    @Test("belong to documents that are read, changed, deleted, in conflict, and verified")
    func documents() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        let people = DocumentCollection(.default)
        let insert = { (id: String, version: String, number: Int) in
            try file.write { transaction in
                try people.insert(
                    id, history: [.vector(try VersionVector(text: version))], remote: 1,
                    in: transaction
                ) { try $0.writeJSON("{\"n\":\(number)}") }
            }
        }
        for (id, version) in [("own", Self.own), ("pulled", Self.pulled)] {
            _ = try insert(id, version, 1)
            #expect(try fixture.json(id, in: file) == "{\"_id\":\"\(id)\",\"n\":1}")
            let history = try file.read { try people.history(of: id, in: $0) }
            let expected = RevisionID.vector(try vector(version))
            #expect(history?.revisionID == expected)
            // The remote has it, too, as `extra` says.
            #expect(history?.remotes == [1: expected])
            #expect(try file.verify().findings.isEmpty)
            try fixture.save(id, #"{"n":2}"#, in: file)
            #expect(try file.read { try people.history(of: id, in: $0) }?.remotes.count == 1)
            #expect(try file.write { try people.delete(id, in: $0) } != nil)
        }
        #expect(try file.verify().findings.isEmpty)
    }

    @Test("result from resolving a conflict, as in Couchbase Lite")
    func resolving() throws {
        let fixture = try StoreFixture()
        let file = try fixture.open()
        let people = DocumentCollection(.default)
        let saved = try fixture.save("ada", #"{"n":1}"#, in: file)
        let theirs = "18eb053366550000@\(Self.carol)"
        _ = try file.write { transaction in
            try people.insert(
                "ada", history: [try RevisionID(theirs)], remote: 1, in: transaction
            ) { try $0.writeJSON(#"{"n":2}"#) }
        }
        _ = try file.write { transaction in
            try people.resolveConflicts(of: "ada", in: transaction) { _, _ in .merge(["n": 3]) }
        }
        let history = try file.read { try people.history(of: "ada", in: $0) }
        guard case .vector(let vector) = history?.revisionID,
            case .vector(let before) = saved.revisionID
        else {
            Issue.record("no vector")
            return
        }
        let other = try self.vector(theirs).first
        let parents = [before.first, other].map { $0.marked(true) }
        #expect(vector.first.source == .local && vector.count == 3)
        #expect(Set(vector.others) == Set(parents))
        #expect(vector.others[0].time > vector.others[1].time)
        #expect(try file.verify().findings.isEmpty)
    }
}
