import Foundation
import Testing

/// Every claim in docs/compatibility.md has an existing test.
@Suite("The table of docs/compatibility.md")
struct CompatibilityPageTests {
    private let lines: [Substring]

    init() throws {
        let page = PackageFiles.root.appending(path: "docs/compatibility.md")
        lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    }

    /// The suite and the sentence of each test by its number.
    private func tests() throws -> [Int: (suite: String, sentence: String)] {
        let form = /(\d+)\. \*\*(.+?)\*\*: (.+)/
        var tests: [Int: (suite: String, sentence: String)] = [:]
        for line in lines {
            guard let match = line.wholeMatch(of: form), let number = Int(match.1) else { continue }
            #expect(tests[number] == nil, "\(number) is listed twice")
            tests[number] = (String(match.2), String(match.3))
        }
        return tests
    }

    /// The cells of the table, except the header row and the first column.
    private func cells() -> [Substring] {
        let rows = lines.drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("|") }
        return rows.flatMap { row in
            row.split(separator: "|").dropFirst().map { cell in
                cell.trimmingPrefix(/\s+/).prefix { $0 != "|" }
            }
        }.map { $0.last == " " ? $0.dropLast() : $0 }
    }

    @Test("lists existing tests, with their suites")
    func existence() throws {
        let files = try PackageFiles.all.get()
        let tests = try tests()
        #expect(tests.count >= 30)
        for (number, test) in tests {
            let suite = try Regex(
                "@Suite\\(\\s*\"\(NSRegularExpression.escapedPattern(for: test.suite))\"")
            let isThere = files.contains { file in
                let text = file.lines.joined(separator: "\n")
                return text.contains("\"\(test.sentence)\"") && text.contains(suite)
            }
            #expect(isThere, "\(number): there is no test \"\(test.sentence)\" in \(test.suite)")
        }
    }

    @Test("has a word and a test in every cell, and uses every test")
    func proofs() throws {
        let known = try Set(tests().keys)
        let form = /(yes|no|upgraded|refused) (\d+(?:, \d+)*)/
        var used: Set<Int> = []
        let cells = cells()
        #expect(cells.count == 16 * 6)
        for cell in cells where cell != "—" {
            let match = try #require(cell.wholeMatch(of: form), "\(cell)")
            used.formUnion(match.2.split(separator: ", ").compactMap { Int($0) })
        }
        #expect(used.subtracting(known).isEmpty, "numbers without a test")
        #expect(known.subtracting(used).isEmpty, "tests that no cell refers to")
    }
}
