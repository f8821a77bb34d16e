import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("Random damage")
struct RandomDamageTests {
    static let commands = [
        ["info"], ["ls", "--deleted", "--seq"], ["cat", "person-0003", "--meta"], ["export"],
        ["put", "person-0003", #"{"zzz":1}"#], ["rm", "person-0001"], ["import", "-"],
    ]

    @Test(
        "does not trap, and every error is one line",
        arguments: 1...25 as ClosedRange<UInt64>)
    func randomBytes(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let database = try SampleDatabase(people: 5)
        var bytes = try database.bytes
        for _ in 0..<random.pick([1, 3, 10, 100, 1000]) {
            bytes[16 + random.below(bytes.count - 16)] = UInt8(random.below(256))
        }
        try database.write(bytes)
        let command = random.pick(Self.commands)
        for command in [["info"], ["export"], command] {
            let outcome = try Kvtool.run(
                [command[0], database.path] + command.dropFirst(), stdin: Data("{}".utf8))
            #expect(!outcome.isSignalled && outcome.status <= 6, "\(command): \(outcome)")
            let complaints = outcome.stderr.split(separator: "\n")
            #expect(complaints.allSatisfy { $0.hasPrefix("kvtool: ") }, "\(command): \(outcome)")
            #expect(complaints.isEmpty == (outcome.status == 0), "\(command): \(outcome)")
        }
    }

    @Test(
        "of JSON does not trap, and accepted documents are exported as Foundation reads them",
        arguments: 1...25 as ClosedRange<UInt64>)
    func randomJSON(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tokens = [
            #"""#, "\\", "{", "}", "[", "]", ",", ":", "1", "-", "e5", ".", "null", "\\u00e9", "é",
            " ", "\t",
        ]
        var line = Array(People(count: 1, seed: seed).reduce("", +).unicodeScalars)
        for _ in 0..<(1 + random.below(2)) {
            let place = 24 + random.below(line.count - 24)
            if random.below(2) == 0 {
                line.insert(contentsOf: random.pick(tokens).unicodeScalars, at: place)
            } else {
                line.remove(at: place)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: line)
        let bytes = Data(String(text).utf8)
        let expected = try? JSONSerialization.jsonObject(with: bytes) as? NSDictionary
        let database = try SampleDatabase()
        let outcome = try database.run("import", "-", stdin: bytes)
        if let expected {
            outcome.success()
            let exported = try database.run("export").success().standardOutput
            #expect(try JSONSerialization.jsonObject(with: exported) as? NSDictionary == expected)
        } else {
            #expect(outcome.refusal(status: 1).hasPrefix("standard input, line 1, column "))
        }
    }
}
