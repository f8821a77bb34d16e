import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool diff and patch: random databases")
struct DiffPatchModelTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func diff(_ left: String, _ right: String, _ flags: [String]) throws -> Command.Outcome
    {
        try Kvtool.run(["diff", directory(left), directory(right), "--ndjson"] + flags)
    }

    private func changes(_ outcome: Command.Outcome) throws -> Set<String> {
        Set(
            try outcome.lines.map { line in
                let object = try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                let place = [object["collection"], object["id"]].compactMap { $0 as? String }
                return "\(object["change"] ?? "") \(place.joined(separator: "/"))"
            })
    }

    private func make(_ seed: UInt64) throws -> (RandomDatabase, RandomDatabase) {
        let (first, second) = RandomDatabase.pair(seed)
        try first.write(to: directory("a.cblite2"), isReversed: false)
        try second.write(to: directory("b.cblite2"), isReversed: true)
        try FileManager.default.copyItem(
            atPath: directory("a.cblite2"), toPath: directory("c.cblite2"))
        return (first, second)
    }

    private func patch(_ text: Data, _ flags: String...) throws {
        let outcome = try Kvtool.run(["patch", directory("c.cblite2"), "-"] + flags, stdin: text)
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("diff finds the differences, and patch applies them", arguments: 1...8)
    func patched(_ seed: UInt64) throws {
        let (first, second) = try make(seed)
        let found = try diff("a.cblite2", "b.cblite2", [])
        let expected = first.differences(to: second, meta: false, deleted: false)
        #expect(try changes(found) == expected, "seed \(seed)")
        #expect(found.status == (expected.isEmpty ? 0 : 8))
        try patch(found.standardOutput)
        let rest = try diff("c.cblite2", "b.cblite2", [])
        #expect(rest.status == 0 && rest.stdout == "", "seed \(seed): \(rest)")
        // Documents that already match are not changed.
        try patch(found.standardOutput)
        #expect(try diff("c.cblite2", "b.cblite2", []).status == 0, "seed \(seed)")
    }

    @Test("with tombstones and expirations, forward and in reverse", arguments: 21...28)
    func reversed(_ seed: UInt64) throws {
        let (first, second) = try make(seed)
        let flags = ["--meta", "--deleted"]
        let found = try diff("a.cblite2", "b.cblite2", flags + ["--both"])
        #expect(
            try changes(found) == first.differences(to: second, meta: true, deleted: true),
            "seed \(seed)")
        try patch(found.standardOutput)
        let rest = try diff("c.cblite2", "b.cblite2", flags)
        #expect(rest.status == 0 && rest.stdout == "", "seed \(seed): \(rest)")
        try patch(found.standardOutput, "--reverse")
        let back = try diff("c.cblite2", "a.cblite2", flags)
        #expect(back.status == 0 && back.stdout == "", "seed \(seed): \(back)")
    }
}
