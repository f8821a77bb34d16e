package import Foundation
internal import ProjectTestSupport

/// The programs of a page of docs/, which a test compiles and runs.
package enum PagePrograms {
    /// What stands in a test file between `// page begins` and `// page ends`.
    package static func inSource(_ file: URL) throws -> [String] {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        var programs: [String] = []
        var open: [String]?
        for line in lines {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// page begins": open = []
            case "// page ends":
                programs.append((open ?? []).joined(separator: "\n"))
                open = nil
            default: open?.append(line.hasPrefix("        ") ? String(line.dropFirst(8)) : line)
            }
        }
        return programs
    }

    /// The Swift programs of a page.
    package static func onPage(_ name: String) throws -> [String] {
        try blocks(ofPage: name).filter { $0.language == "swift" }
            .map { $0.lines.joined(separator: "\n") }
    }

    /// A page of docs/.
    package static func text(ofPage name: String) throws -> String {
        try String(
            contentsOf: PackageDirectory.url.appendingPathComponent("docs/\(name)"),
            encoding: .utf8)
    }

    /// What stands between fences on a page, with the word behind the first of them.
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
