import Foundation
import ProjectTestSupport

/// A block of Swift in a documentation comment or on a page of docs.
struct CodeExample {
    /// The file, from the package's root.
    var file: String
    /// The line in which the code starts.
    var line: Int
    var code: String

    /// The examples in the comments of a target's sources.
    static func all(in target: String) throws -> [CodeExample] {
        let root = PackageDirectory.url
        let sources = "Sources/\(target)"
        return try FileManager.default.subpathsOfDirectory(
            atPath: root.appending(path: sources).path
        )
        .sorted().filter { $0.hasSuffix(".swift") }
        .flatMap { name in
            let path = "\(sources)/\(name)"
            return examples(
                in: try String(contentsOf: root.appending(path: path), encoding: .utf8), of: path)
        }
    }

    /// The examples in the comments of a file.
    static func examples(in text: String, of file: String) -> [CodeExample] {
        var examples: [CodeExample] = []
        var current: CodeExample?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let trimmed = line.drop { $0 == " " }
            guard trimmed.hasPrefix("///") else {
                current = nil
                continue
            }
            let content = trimmed.dropFirst(3)
            let code = content.hasPrefix(" ") ? content.dropFirst() : content
            if let example = current, code == "```" {
                examples.append(example)
                current = nil
            } else if current != nil {
                current?.code += code + "\n"
            } else if code == "```swift" {
                current = CodeExample(file: file, line: index + 2, code: "")
            }
        }
        return examples
    }

    /// The examples of a page of docs.
    ///
    /// - Parameter name: The page, such as `query.md`.
    static func all(onPage name: String) throws -> [CodeExample] {
        try all(inArticle: "docs/\(name)")
    }

    /// The examples of an article.
    ///
    /// - Parameter path: The path of the file, from the package's root.
    static func all(inArticle path: String) throws -> [CodeExample] {
        let text = try String(
            contentsOf: PackageDirectory.url.appending(path: path), encoding: .utf8)
        var examples: [CodeExample] = []
        var current: CodeExample?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let example = current, line == "```" {
                examples.append(example)
                current = nil
            } else if current != nil {
                current?.code += line + "\n"
            } else if line == "```swift" {
                current = CodeExample(file: path, line: index + 2, code: "")
            }
        }
        return examples
    }

    /// A declaration that compiles if the example is correct: a function, or code that is valid
    /// only outside a function.
    var compiled: String {
        let code = code.replacing("{ … }", with: "{ }").replacing("…", with: "")
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
        let isDeclaration =
            code.firstMatch(of: #/(?m)^(extension|protocol|actor|@main|@Suite)\b/#) != nil
        let name = String(file.map { $0.isLetter ? $0 : "_" }) + "_\(line)"
        let body = "#sourceLocation(file: \"\(file)\", line: \(line))\n\(code)\n#sourceLocation()\n"
        let effects = code.contains("await") ? "async throws" : "throws"
        return isDeclaration ? body : "func \(name)() \(effects) {\n\(body)}\n"
    }
}
