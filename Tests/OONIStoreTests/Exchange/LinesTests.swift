import DocumentStore
import Foundation
import StoreTestSupport
import Testing

import OONIStore

@Suite("A store as lines of JSON")
struct LinesTests {
    private let store: OONIStore
    private let directory: TemporaryDirectory
    private let lines: [String]

    init() throws {
        directory = try TemporaryDirectory()
        let store = try OONIStore.inMemory()
        try store.importProbe(path: ProbeFixture(in: directory, version: 21).path)
        try store.write { (transaction) throws in
            try store.articles.refresh(
                [
                    .init(
                        url: "https://a.example/\"ü\"", title: "Ü\n\u{1}", source: .blog,
                        time: .init(milliseconds: -5))
                ], in: transaction)
            _ = try store.results.delete([.init(7)], in: transaction)
            let long = "https://long.example/" + String(repeating: "x", count: 400)
            try store.urls.register(.init(long, category: .init(rawValue: "NEW")), in: transaction)
        }
        self.store = store
        lines = try Self.lines(store)
    }

    private static func lines(_ store: OONIStore) throws -> [String] {
        var lines: [String] = []
        let count = try store.export { lines.append($0) }
        #expect(count == lines.count)
        return lines
    }

    @Test("The first line is the header, and each other one is a document")
    func form() throws {
        #expect(
            lines[0]
                == #"{"format":"OONIStore","version":1,"#
                + #""numbers":{"measurements":40,"networks":8,"results":7},"#
                + #""documents":{"articles":1,"descriptors":2,"measurements":6,"networks":3,"#
                + #""results":3,"urls":3}}"#)
        #expect(lines.count == 1 + 1 + 2 + 6 + 3 + 3 + 3)
        #expect(
            lines.contains(
                #"{"collection":"networks","details":{"asn":"AS9","countryCode":"NL","#
                    + #""name":"Sat","type":"satellite"},"id":8}"#))
        #expect(
            lines.contains(
                #"{"collection":"urls","category":"NEWS","countryCode":"IT","#
                    + #""url":"https://one.example/"}"#))
        #expect(lines.allSatisfy { !$0.contains("\n") })
    }

    @Test("Imported they are the same store, which gives no number again")
    func roundTrip() throws {
        let other = try OONIStore.inMemory()
        let text = lines.joined(separator: "\n") + "\n\n"
        var told: [Int] = []
        try other.importLines(
            text.split(separator: "\n", omittingEmptySubsequences: false).lazy.map(String.init)
        ) { told.append($0) }
        #expect(told == [lines.count + 2])
        #expect(try Self.lines(other) == lines)
        #expect(try other.read { try other.verify(in: $0) } == [])
        let result = try other.write { (transaction) throws in
            try other.results.insert(
                .init(name: "websites"), at: .init(milliseconds: 1), in: transaction)
        }
        #expect(result.id == .init(8))
        #expect(
            try other.read { try other.measurements.all(in: $0) }
                == store.read { try store.measurements.all(in: $0) })
    }

    @Test("A store that holds something takes no lines")
    func notEmpty() throws {
        let error = #expect(throws: OONIStoreError.self) { try store.importLines(lines) }
        #expect(error?.code == .notEmpty)
        #expect(try Self.lines(store) == lines)
    }

    /// Expects that lines are refused, and that nothing is kept of them.
    private func expectRefusal(
        _ lines: [String], _ says: String, code: OONIStoreError.Code = .invalidLine
    ) throws {
        let other = try OONIStore.inMemory()
        let before = try Self.lines(other)
        let error = #expect(throws: OONIStoreError.self) { try other.importLines(lines) }
        #expect(error?.code == code)
        #expect(error?.message.hasPrefix(says) == true, "\(error?.message ?? "")")
        #expect(try Self.lines(other) == before)
    }

    @Test("No lines, another first line, or one of a later version are refused")
    func header() throws {
        try expectRefusal([], "line 1: there is no line")
        try expectRefusal(Array(lines.dropFirst()), "line 1: the first line of an export")
        try expectRefusal(
            [lines[0].replacing(#""version":1"#, with: #""version":99"#)],
            "the lines have version 99", code: .newerVersion)
        try expectRefusal(
            [lines[0].replacing(#""version":1"#, with: #""version":"a""#)],
            "line 1: the version is not a number")
        try expectRefusal([#"{"format":"OONIStore","version":1}"#], "line 1: \"numbers\"")
    }

    @Test("A line that is not JSON, or no document, is refused by its number")
    func malformed() throws {
        for (line, says) in [
            ("{", "line 4: it is not JSON"), ("5", "line 4: it is not JSON"),
            ("[]", "line 4: it names no collection"),
            (#"{"collection":"cars"}"#, "line 4: there is no collection \"cars\""),
            (#"{"collection":"urls","category":"NEWS"}"#, "line 4: \"url\" cannot be read"),
            (
                #"{"collection":"urls","category":5,"url":"a"}"#,
                "line 4: \"category\" cannot be read"
            ),
        ] {
            var lines = lines
            lines[3] = line
            try expectRefusal(lines, says)
        }
    }

    @Test("Each line that is missing or twice is found")
    func incomplete() throws {
        for place in lines.indices.dropFirst() {
            var shorter = lines
            shorter.remove(at: place)
            try expectRefusal(shorter, "line ")
            var longer = lines
            longer.insert(lines[place], at: place)
            try expectRefusal(longer, "line \(place + 2): ")
        }
        try expectRefusal(
            Array(lines.dropLast()),
            "line \(lines.count - 1): it is the last one, after 0 of 1 articles")
    }

    @Test("Counts that are not those of the measurements are refused")
    func counts() throws {
        var lines = lines
        let place = try #require(lines.firstIndex { $0.contains(#""measurements":2"#) })
        lines[place].replace(#""measurements":2"#, with: #""measurements":3"#)
        try expectRefusal(lines, "line \(place + 1): the counts of result 3")
    }

    @Test("What progress throws ends the import")
    func cancelled() throws {
        let other = try OONIStore.inMemory()
        let before = try Self.lines(other)
        let many = lines + Array(repeating: "", count: 2_000)
        #expect(throws: CancellationError.self) {
            try other.importLines(many) { _ in throw CancellationError() }
        }
        #expect(try Self.lines(other) == before)
    }

    @Test("addresses may be empty; a store that has given numbers takes no lines")
    func emptyAndUsed() throws {
        let store = try OONIStore.inMemory()
        let result = try store.begin()
        try store.measure(of: result.id, url: "")
        var lines: [String] = []
        var progress: [[Int]] = []
        let count = try store.export(
            to: { lines.append($0) }, progress: { progress.append([$0, $1]) })
        #expect(count == 4 && progress == [[4, 4]])
        try OONIStore.inMemory().importLines(lines)
        let used = try OONIStore.inMemory()
        try used.begin()
        _ = try used.write { try used.results.delete(.all, in: $0) }
        let error = #expect(throws: OONIStoreError.self) { try used.importLines(lines) }
        #expect(error?.code == .notEmpty)
    }

    @Test("lines and databases can be read from a task")
    func task() async throws {
        let store = try OONIStore.inMemory()
        try store.begin()
        var lines: [String] = []
        _ = try store.export { lines.append($0) }
        let copy = try OONIStore.inMemory()
        #expect(try await copy.importLines(lines) == 2)
        let directory = try TemporaryDirectory()
        let fixture = try ProbeFixture(in: directory, version: 21)
        let report = try await copy.importProbe(path: fixture.path)
        #expect(report.version == 21)
    }
}
