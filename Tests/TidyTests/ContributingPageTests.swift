import Foundation
import Testing

@Suite("CONTRIBUTING.md")
struct ContributingPageTests {
    @Test("its table of floors is the one that counts")
    func floors() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        var found: [Int: Set<String>] = [:]
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, let floor = Int(cells[0]) else { continue }
            found[floor] = Set(
                cells[1].split(separator: ",").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                })
        }
        let expected = Dictionary(grouping: Floor.table, by: \.number)
            .mapValues { Set($0.map(\.target)) }
        #expect(found == expected)
    }
}
