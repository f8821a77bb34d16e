import Foundation
import SampleData
import Testing

@Suite("kvtool generate")
struct GenerateTests {
    @Test("writes the people of a seed, the same each time", arguments: [1, 2, UInt64.max])
    func seeds(_ seed: UInt64) throws {
        let arguments = ["generate", "--count", "50", "--seed", "\(seed)"]
        let first = try Kvtool.run(arguments).success()
        #expect(first.lines == Array(People(count: 50, seed: seed)))
        #expect(try Kvtool.run(arguments).success().standardOutput == first.standardOutput)
    }

    @Test("writes other people for another seed, and 200 unless told otherwise")
    func defaults() throws {
        let people = try Kvtool.run(["generate"]).success().lines
        #expect(people == Array(People(count: 200, seed: 1)))
        #expect(try Kvtool.run(["generate", "--seed", "2"]).success().lines != people)
        #expect(try Kvtool.run(["generate", "--count", "0"]).success().stdout == "")
    }

    @Test("writes an object with an id of its own in every line")
    func valid() throws {
        let ids = try Kvtool.run(["generate", "--count", "100"]).success().lines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }.map { $0?["_id"] as? String }
        #expect(Set(ids).count == 100)
        #expect(!ids.contains(nil))
    }
}
