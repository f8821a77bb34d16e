import DocumentStore
import Foundation
import ProjectTestSupport
import SampleData
import StoreTestSupport
import Testing

@Suite(
    "Queries parsed by LiteCore",
    .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenStatementTests {
    private struct Sample {
        let isJSON: Bool
        let query: String
        /// LiteCore's error.
        let error: String?

        func read() throws -> QueryStatement {
            isJSON ? try QueryJSONReader.statement(query) : try SQLPPParser.statement(query)
        }

        var isRefused: Bool { (try? read()) == nil }
    }

    private let samples: [Sample]

    init() throws {
        let path = GoldenFiles.file("queries/litecore-answers.ndjson")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        samples = try lines.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let entry = object as? [String: Any], let query = entry["query"] as? String
            else { return nil }
            return Sample(
                isJSON: entry["language"] as? String == "JSON", query: query,
                error: entry["error"] as? String)
        }
    }

    @Test("are parsed, and written in both languages as text that parses to the same query")
    func accepted() throws {
        let accepted = samples.filter { $0.error == nil }
        #expect(accepted.count { !$0.isJSON } > 500)
        #expect(accepted.count { $0.isJSON } >= 15)
        for sample in accepted {
            let statement = try sample.read()
            #expect(
                try QueryJSONReader.statement(QueryJSONWriter.text(statement)) == statement)
            let text = SQLPPWriter.text(statement)
            let read = try SQLPPParser.statement(text)
            #expect(SQLPPWriter.text(read) == text)
            // JSON may omit the columns, and has operators with many operands.
            #expect(sample.isJSON || read == statement, "\(text)")
        }
    }

    /// What LiteCore's grammar rejects and ours accepts, and why.
    private static let acceptedExtensions = [
        // A function that LiteCore's grammar does not have.
        "SELECT isvalued(",
        // A subscript of any value.
        "SELECT [10,20,30][1] AS r FROM _ LIMIT 1",
        // A parameter whose name would be a keyword without the `$`.
        "SELECT $missing AS x FROM _ LIMIT 1",
        // Extensions of this engine.
        "SELECT COUNT(gender) AS n, COUNT(DISTINCT gender) AS d FROM _", "UPDATE _ SET a=1",
        "DELETE FROM _",
    ]

    /// What both reject. LiteCore's other errors concern the meaning, not the syntax.
    private static let refused = [
        "SELECT", "SELECT foo() FROM _", "SELECT abs() FROM _", "SELECT 'abc FROM _",
        "SELECT a b c FROM _", "SELECT * FROM _ ORDER", "SELECT * FROM _ LIMIT",
        "SELECT x FROM _ UNNEST", "SELECT (1 FROM _", "SELECT a AS order FROM _",
        "SELECT x FROM _ GROUP BY", #"["AND",["=",["array_count()",["$","."]],1],["=",1,1]]"#, "[]",
        #"{"WHAT":[[".a"]],"WHERE":["ANY","x"]}"#,
    ]

    @Test("are rejected as by LiteCore, except for its missing features")
    func errors() {
        let refused = samples.filter(\.isRefused).map(\.query)
        #expect(refused.sorted() == Self.refused.sorted())
        let taken = samples.filter {
            $0.error?.contains("syntax error") == true && !$0.isRefused
        }
        #expect(taken.count > Self.acceptedExtensions.count)
        for sample in taken {
            #expect(
                Self.acceptedExtensions.contains { sample.query.hasPrefix($0) }, "\(sample.query)")
        }
        for text in Self.acceptedExtensions {
            #expect(taken.contains { $0.query.hasPrefix(text) }, "\(text)")
        }
    }

    @Test("are errors or statements after random changes, and parse back to the same query")
    func mutations() throws {
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 2_000)
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_124)
        print("GoldenStatementTests: \(count) changed queries from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        var right = 0
        for _ in 0..<count {
            let sample = random.pick(samples)
            var bytes = Array(sample.query.utf8)
            let index = random.below(bytes.count)
            switch random.below(3) {
            case 0: bytes.remove(at: index)
            case 1: bytes.swapAt(index, random.below(bytes.count))
            default: bytes[index] = UInt8(random.below(128))
            }
            let changed = Sample(
                isJSON: sample.isJSON, query: String(decoding: bytes, as: UTF8.self), error: nil)
            do {
                let statement = try changed.read()
                right += 1
                let text = SQLPPWriter.text(statement)
                if !changed.isJSON {
                    #expect(try SQLPPParser.statement(text) == statement, "\(text)")
                }
            } catch let error as StoreError where error.has(.invalidQuery) {}
        }
        #expect(right > 0)
    }
}
