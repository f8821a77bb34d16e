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

    @Test("writes other people for another seed, and 200 by default")
    func defaults() throws {
        let people = try Kvtool.run(["generate"]).success().lines
        #expect(people == Array(People(count: 200, seed: 1)))
        #expect(try Kvtool.run(["generate", "--seed", "2"]).success().lines != people)
        #expect(try Kvtool.run(["generate", "--count", "0"]).success().stdout == "")
    }

    @Test("writes an object with a unique id in every line")
    func valid() throws {
        let ids = try Kvtool.run(["generate", "--count", "100"]).success().lines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }.map { $0?["_id"] as? String }
        #expect(Set(ids).count == 100)
        #expect(!ids.contains(nil))
    }

    private func template(_ text: String, _ rest: String...) throws -> Command.Outcome {
        let database = try SampleDatabase()
        let file = try database.newFile("t.json", Data(text.utf8))
        return try Kvtool.run(["gen", "--template", file] + rest)
    }

    @Test("fills a template, the same for a seed")
    func templates() throws {
        let text = #"""
            {"_id":"o-{{index()}}","n":"{{integer(3, 5)}}",
             "on":"{{bool()}}","r":"{{range(0, 4, 2)}}",
             "c":"{{random(red, 'light green')}}",
             "d":"{{date(2020-01-01, 2020-12-31)}}","fixed":[1],
             "l":["{{repeat(2, 2)}}",{"x":"{{floating(0, 1, 2)}}"}],"w":"{{lorem(2, words)}}!"}
            """#
        let outcome = try template(text, "--count", "30").success()
        for (index, line) in outcome.lines.enumerated() {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["_id"] as? String == "o-\(index)")
            #expect((3...5).contains(object["n"] as? Int ?? 0))
            #expect(object["r"] as? Int == [0, 2][index % 2])
            #expect(["red", "light green"].contains(object["c"] as? String))
            #expect((object["d"] as? String)?.hasPrefix("2020-") == true)
            #expect((object["l"] as? [Any])?.count == 2)
            #expect((object["w"] as? String)?.split(separator: " ").count == 2)
        }
        #expect(outcome.lines.count == 30)
        #expect(try template(text, "--count", "30").stdout == outcome.stdout)
        #expect(try template(text, "--count", "30", "--seed", "2").stdout != outcome.stdout)
    }

    @Test(
        "refuses an invalid template",
        arguments: [
            "[]", "{", #"{"a":"{{x()}}"}"#, #"{"a":"{{bool("}"#, #"{"a":"{{integer(2, 1)}}"}"#,
            #"{"a":"{{lorem(2, books)}}"}"#, #"{"a":"{{date(x, y)}}"}"#,
        ])
    func badTemplates(_ text: String) throws {
        try template(text).refusal(status: 1)
    }

    @Test("fills a database with texts")
    func databases() throws {
        let database = try SampleDatabase()
        let outcome = try Kvtool.run(
            ["gen", "texts", "--count", "5", "--database", database.path]).success()
        #expect(outcome.stdout == "Generated 5 documents in \(database.path), seed 1\n")
        #expect(try database.exported().count == 5)
        #expect(try database.exported()[0].hasPrefix(#"{"_id":"text-0000001","text":"#))
        let seed = "\(UInt64.max)"
        let other = try Kvtool.run(
            ["gen", "--count", "2", "--seed", seed, "--database", database.path, "--csv"]
        ).success()
        #expect(other.lines == ["database,documents,seed", "\(database.path),2,\(seed)"])
    }
}
