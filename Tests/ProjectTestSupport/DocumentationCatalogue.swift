package import Foundation

/// The articles of a DocC catalogue, and the code in them, which tests compare with code that is
/// compiled.
package struct DocumentationCatalogue: Sendable {
    private let target: String
    private let directory: URL

    /// - Parameter target: the name of a target of this package, and of its catalogue.
    package init(of target: String) {
        self.target = target
        directory = PackageDirectory.url.appending(path: "Sources/\(target)/\(target).docc")
    }

    /// The names of all articles, sorted.
    package func articles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))
            .filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }

    /// The text of an article.
    package func article(_ name: String) throws -> String {
        try String(contentsOf: directory.appending(path: name + ".md"), encoding: .utf8)
    }

    /// The code blocks of an article, in order.
    package func code(of article: String) throws -> [String] {
        Self.blocks(try self.article(article), from: "```swift", to: "```").map(\.code)
    }

    /// The code of a test file between the lines `// snippet begins: Article` and
    /// `// snippet ends`, with the article's name.
    package static func snippets(in file: URL) throws -> [(name: String, code: String)] {
        blocks(
            try String(contentsOf: file, encoding: .utf8), from: "// snippet begins:",
            to: "// snippet ends")
    }

    /// The articles whose code differs from that of their snippets, in order.
    package func articles(
        differingFrom snippets: [(name: String, code: String)]
    ) throws -> [String] {
        try articles().filter { article in
            try code(of: article) != snippets.filter { $0.name == article }.map(\.code)
        }
    }

    /// The articles that the start page, which has the target's name, does not link to, and the
    /// links of all articles that have no target.
    package func brokenLinks() throws -> [String] {
        let articles = try articles()
        let start = try article(target)
        let unreached = articles.filter { $0 != target && !start.contains("- <doc:\($0)>\n") }
        let broken = try articles.flatMap { name in
            try article(name).matches(of: /<doc:([^>]*)>/).map { String($0.1) }
                .filter { !articles.contains($0) }.map { "\(name): \($0)" }
        }
        return unreached + broken
    }

    private static func blocks(
        _ text: String, from begin: String, to end: String
    ) -> [(name: String, code: String)] {
        var blocks: [(name: String, code: String)] = []
        var lines: [Substring]?
        var name = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " }
            if lines == nil, trimmed.hasPrefix(begin) {
                name = trimmed.dropFirst(begin.count).trimmingCharacters(in: .whitespaces)
                lines = []
            } else if trimmed == end, let whole = lines {
                blocks.append((name, dedented(whole)))
                lines = nil
            } else {
                lines?.append(line)
            }
        }
        return blocks
    }

    private static func dedented(_ lines: [Substring]) -> String {
        let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let indent = indents.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }
}
