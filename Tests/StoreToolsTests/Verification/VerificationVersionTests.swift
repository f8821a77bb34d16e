import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing
@testable import StoreTools

@Suite("Verifying times of versions")
struct VerificationVersionTests {
    private static let carol = "VVhQDsYqRK+J4izq+bzjMQ"

    private func setVersion(_ text: String, of key: String, _ fixture: VerificationFixture) throws {
        let version = try VersionVector(text: text).binary
        try fixture.spoil(
            "UPDATE kv_default SET version = ? WHERE key = ?", [.blob(version), .text(key)])
    }

    private func setClock(_ bytes: String, _ fixture: VerificationFixture) throws {
        try fixture.spoil(
            "INSERT OR REPLACE INTO kv_info (key, body) VALUES ('hybridClock', x'\(bytes)')")
    }

    @Test(
        "finds a version that is years ahead, from any source, and sets it to the present time",
        arguments: [
            "7fffffffffffffff@*", "7000000000000000@*", "7fffffffffffffff@\(carol)",
            "18e9f0b79eed0000@*; 7ffffffffffff000@\(carol)",
            "7fffffffffffffff@*, 7ffffffffffffffe@\(carol), 7ffffffffffffff0@*;",
            "7fffffffffffffff@*; 7fffffffffffffff@\(carol), 2ab12345678@Revision+Tree+Encoding",
        ])
    func versions(text: String) throws {
        let fixture = try VerificationFixture()
        try setVersion(text, of: "d2", fixture)
        let found = try fixture.verify()
        #expect(found.found == [Found(.implausibleVersion, "default", key: "d2")])
        #expect(found.findings[0].isFixable && found.errors == 1)
        let before = try VersionVector(text: text)
        #expect(try fixture.fix() == [])
        let file = try fixture.engine.open()
        let document = try #require(try file.read { try fixture.people.get("d2", in: $0) })
        #expect(document["n"]?.int == 2)
        guard case .vector(let after) = document.revisionID else { return }
        #expect(after.versions.map(\.source) == before.versions.map(\.source))
        #expect(after.versions.map(\.isCurrent) == before.versions.map(\.isCurrent))
        for (old, new) in zip(before.versions, after.versions) {
            let isKept = old.isLegacy || old.time < HybridClock().latestPlausible
            #expect(isKept ? new.time == old.time : new.time < HybridClock().latestPlausible)
        }
        // The order of the times does not change.
        let order = { (vector: VersionVector) in
            let times = vector.versions.filter { !$0.isLegacy }.map(\.time)
            return times.map { time in Set(times.filter { $0 < time }).count }
        }
        #expect(order(after) == order(before))
    }

    @Test("of a conflict with a remote it remains a conflict, and equal versions remain equal")
    func remotes() throws {
        let fixture = try VerificationFixture()
        let file = try fixture.engine.open()
        let insert = { (id: String, text: String) in
            try file.write { transaction in
                try fixture.people.insert(
                    id, history: [try RevisionID(text)], remote: 2, in: transaction
                ) { try $0.writeJSON(#"{"n":8}"#) }
            }
        }
        _ = try insert("ada", "7fffffffffffff00@\(Self.carol)")
        _ = try insert("new", "7fffffffffffff00@\(Self.carol)")
        let found = try file.verify()
        #expect(
            found.found == [
                Found(.implausibleVersion, "default", key: "ada"),
                Found(.implausibleVersion, "default", key: "new"),
                Found(.implausibleVersion, "default", key: "new"),
            ])
        let sequence = try file.read { try fixture.people.get("new", in: $0) }?.sequence ?? 0
        #expect(try file.fix(found.findings).failed.isEmpty)
        #expect(try file.verify().found == [])
        let ada = try #require(try file.read { try fixture.people.history(of: "ada", in: $0) })
        #expect(try ada.conflicts().count == 2)
        #expect(try ada.conflicts().contains { $0.properties?["n"]?.int == 8 })
        let new = try #require(try file.read { try fixture.people.history(of: "new", in: $0) })
        #expect(new.remotes[2] == new.revisionID)
        let document = try file.read { try fixture.people.get("new", in: $0) }
        #expect(document?.sequence ?? 0 > sequence)
        #expect(document?["n"]?.int == 8)
    }

    @Test("does not change versions of the next five years and revisions of trees")
    func plausible() throws {
        let fixture = try VerificationFixture()
        let soon = HybridClock().latestPlausible.rawValue - 1 << 50
        try setVersion("\(String(soon, radix: 16))@*", of: "d2", fixture)
        try setVersion("7fffff2ab1234567@Revision+Tree+Encoding", of: "d3", fixture)
        #expect(try fixture.verify().found == [])
        let trees = try VerificationFixture(.treesInExtra)
        #expect(try trees.verify().found == [])
    }

    @Test(
        "finds a clock of the file that is years ahead, and sets it",
        arguments: ["7FFFFFFFFFFFFFFF", "7FFFFFFFFFFFF000", "FFFFFFFFFFFFFFFF", "7000000000000000"])
    func clock(bytes: String) throws {
        let fixture = try VerificationFixture()
        try setClock(bytes, fixture)
        let found = try fixture.verify()
        #expect(found.found == [Found(.implausibleClock, "info", key: "hybridClock")])
        #expect(found.findings[0].message.contains("years ahead of the system clock"))
        #expect(try fixture.fix() == [])
        #expect(
            try fixture.engine.rows("SELECT length(body) FROM kv_info WHERE key='hybridClock'")
                == ["8"])
        // Even without it, the file can be written.
        try setClock(bytes, fixture)
        let file = try fixture.engine.open()
        try file.write { _ = try fixture.people.delete("d1", in: $0) }
        #expect(try file.verify().found == [])
    }

    @Test("a document with other damage does not prevent fixing the others")
    func damaged() throws {
        let fixture = try VerificationFixture()
        for key in ["d1", "d2"] { try setVersion("7fffffffffffffff@*", of: key, fixture) }
        try fixture.spoil("UPDATE kv_default SET extra = x'0000000001' WHERE key = 'd1'")
        let file = try fixture.engine.open()
        let repair = try file.fix(file.verify().findings)
        #expect(repair.failed == [] && repair.done.count == 1)
        let left = try file.verify().findings.filter { $0.kind == .implausibleVersion }
        #expect(left.map(\.key) == ["d1"])
    }
}
