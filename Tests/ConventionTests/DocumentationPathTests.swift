import Foundation
import Testing

@Suite("Paths in documents and scripts")
struct DocumentationPathTests {
    /// A path from the root of the package, in a sentence, a link or a command.
    private struct Mention: CustomStringConvertible {
        var file: String
        var line: Int
        var path: String

        var description: String { "\(file):\(line): \(path) does not exist" }
        var exists: Bool { PackageFiles.exists(path) }
    }

    private static func mentions(in text: String, of file: String) -> [Mention] {
        let form = #/(?:^|[^\w.\/\-])(?:\.\.?\/)?((?:Sources|Tests|Scripts|Examples)\/[\w+.\/\-]*)/#
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .flatMap { index, line in
                line.matches(of: form).map { match in
                    var path = match.1
                    while path.hasSuffix(".") { path.removeLast() }
                    return Mention(file: file, line: index + 1, path: String(path))
                }
            }
    }

    /// The pages in the root and in docs, and the scripts.
    private static func files() throws -> [String] {
        let pages = try PackageFiles.names(in: "").filter { $0.hasSuffix(".md") }
        let docs = try PackageFiles.names(in: "docs").filter { $0.hasSuffix(".md") }
        let scripts = try PackageFiles.names(in: "Scripts")
        return (pages + docs.map { "docs/\($0)" } + scripts.map { "Scripts/\($0)" }).sorted()
    }

    @Test("exist")
    func existence() throws {
        var found: [Mention] = []
        for file in try Self.files() {
            // Directories and binary files, such as compiled Python, are skipped.
            guard let text = try? PackageFiles.text(file) else { continue }
            found += Self.mentions(in: text, of: file)
        }
        #expect(found.count > 30)
        for mention in found where !mention.exists { Issue.record("\(mention)") }
    }

    @Test("are found in sentences, links and commands, and nowhere else")
    func forms() {
        let text = """
            Look at Sources/A.swift, `Tests/B+C.swift` and [this](../Scripts/d-e). See Sources/F.
            x.Sources/G other/Tests/H ./Scripts/i --path=Examples/J/
            """
        let mentions = Self.mentions(in: text, of: "page.md")
        #expect(
            mentions.map(\.path) == [
                "Sources/A.swift", "Tests/B+C.swift", "Scripts/d-e", "Sources/F", "Scripts/i",
                "Examples/J/",
            ])
        #expect(mentions.map(\.line) == [1, 1, 1, 1, 2, 2])
        #expect(mentions.first?.description == "page.md:1: Sources/A.swift does not exist")
    }
}
