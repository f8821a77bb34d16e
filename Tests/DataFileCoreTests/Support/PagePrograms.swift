import Foundation

/// The programs of a page of docs/, which a test compiles and runs.
enum PagePrograms {
    /// What stands in a test file between `// page begins` and `// page ends`.
    static func inSource(_ file: URL) throws -> [String] {
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
    static func onPage(_ name: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
        return page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
    }
}
