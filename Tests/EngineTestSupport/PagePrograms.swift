package import Foundation
internal import ProjectTestSupport

/// The programs on a page of docs/, which a test compiles and runs.
package enum PagePrograms {
    /// The programs in a test file, each between `// page begins` and `// page ends`.
    package static func inSource(_ file: URL) throws -> [String] {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        var programs: [String] = []
        var open: [String]?
        for line in lines {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// page begins": open = []
            case "// page ends":
                programs.append(dedented(open ?? []))
                open = nil
            default: open?.append(line)
            }
        }
        return programs
    }

    private static func dedented(_ lines: [String]) -> String {
        let indents = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        let indent = indents.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }

    /// The Swift programs on a page.
    package static func onPage(_ name: String) throws -> [String] {
        try blocks(ofPage: name).filter { $0.language == "swift" }
            .map { $0.lines.joined(separator: "\n") }
    }

    /// The text of a page of docs/.
    package static func text(ofPage name: String) throws -> String {
        try String(
            contentsOf: PackageDirectory.url.appendingPathComponent("docs/\(name)"),
            encoding: .utf8)
    }

    /// The fenced blocks on a page, with the language of each.
    package static func blocks(ofPage name: String) throws -> [(language: String, lines: [String])]
    {
        var blocks: [(language: String, lines: [String])] = []
        var isOpen = false
        for line in try text(ofPage: name).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if !isOpen { blocks.append((String(line.dropFirst(3)), [])) }
                isOpen.toggle()
            } else if isOpen {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks
    }
}
