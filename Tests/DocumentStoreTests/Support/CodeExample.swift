import Foundation
import ProjectTestSupport
import StoreTestSupport

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
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return examples(in: text, of: path, content: comment)
        }
    }

    /// The examples of an article.
    ///
    /// - Parameter path: The path of the file, from the package's root.
    static func all(inArticle path: String) throws -> [CodeExample] {
        let text = try String(
            contentsOf: PackageDirectory.url.appending(path: path), encoding: .utf8)
        return examples(in: text, of: path) { $0 }
    }

    /// The text of a documentation comment in a line; nil if the line has none.
    private static func comment(_ line: Substring) -> Substring? {
        let trimmed = line.drop { $0 == " " }
        guard trimmed.hasPrefix("///") else { return nil }
        let content = trimmed.dropFirst(3)
        return content.hasPrefix(" ") ? content.dropFirst() : content
    }

    /// The blocks of Swift in a text.
    ///
    /// - Parameter content: Returns the content of a line, nil for a line that ends a block.
    private static func examples(
        in text: String, of file: String, content: (Substring) -> Substring?
    ) -> [CodeExample] {
        var examples: [CodeExample] = []
        var current: CodeExample?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let code = content(line)
            if let example = current, code == "```" {
                examples.append(example)
                current = nil
            } else if let code, current != nil {
                current?.code += code + "\n"
            } else {
                current =
                    code == "```swift" ? CodeExample(file: file, line: index + 2, code: "") : nil
            }
        }
        return examples
    }

    /// What the compiler reports about examples; empty if they are correct.
    ///
    /// - Parameters:
    ///   - modules: The modules that the examples import, besides Foundation.
    ///   - names: Files that declare names used by the examples.
    static func errors(
        in examples: [CodeExample], importing modules: [String], with names: [String] = []
    ) throws -> String {
        let directory = try TemporaryDirectory()
        let path = directory("Examples.swift")
        let imports = (modules + ["Foundation"]).map { "import \($0)\n" }
        let code = imports.joined() + examples.map(\.compiled).joined()
        try code.write(toFile: path, atomically: true, encoding: .utf8)
        return try ModuleCheck.errors(in: [path] + names)
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
