import DataFileCore
import EngineTestSupport
import FleeceLite
import Testing
@testable import StoreTools

@Suite("Verifying vector indexes", .serialized)
struct VerificationVectorTests {
    @Test("notes documents whose value is not a vector of the index")
    func leftOut() throws {
        let fixture = try VerificationFixture(indexes: true)
        let file = try fixture.engine.open()
        try file.write { transaction in
            // "[n, 1]" is then not an array of two numbers.
            for (id, json) in [("text", #"{"n":"x"}"#), ("none", "{}")] {
                _ = try fixture.people.save(id, in: transaction) { try $0.writeJSON(json) }
            }
        }
        file.close()
        let report = try fixture.verify()
        #expect(report.isIntact)
        let notes = report.findings.filter { $0.kind == .leftOutVectors }
        #expect(notes.map(\.index) == ["near"])
        #expect(notes.first?.message.contains("\"text\"") == true, "\(notes)")
        #expect(notes.first?.severity == .note && notes.first?.isFixable == false)
    }

    @Test(
        "leaves an index of a later version alone",
        arguments: ["encoding = 'PQ'", "metric = 'manhattan'", "probes = -7"])
    func later(change: String) throws {
        let fixture = try VerificationFixture(indexes: true)
        try fixture.spoil("UPDATE vector_indexes SET \(change)")
        let objects = "SELECT name FROM sqlite_master WHERE name LIKE '%:vectors:%' ORDER BY 1"
        let before = try fixture.engine.rows(objects)
        #expect(before.count == 9)
        let report = try fixture.verify()
        #expect(report.found == [Found(.uncheckedIndex, "default", index: "near")])
        #expect(report.isIntact)
        let file = try fixture.engine.open()
        #expect(try file.fix(report.findings).done.isEmpty)
        file.close()
        #expect(try fixture.engine.rows(objects) == before)
    }

    @Test("does not compare documents that another program has changed, and that wait")
    func pending() throws {
        let fixture = try VerificationFixture(indexes: true)
        try fixture.spoil(
            "UPDATE kv_default SET body = (SELECT body FROM kv_default WHERE key = 'd2') "
                + "WHERE key = 'd1'")
        #expect(try fixture.verify().findings.filter { $0.index == "near" }.isEmpty)
    }
}
