internal import DocumentStore

/// The beginning of a dump: what the database must be before anything can be loaded.
struct LoadBeginning {
    let versioning: Versioning
    /// Behind the check of the first line.
    let lines: CheckedLines

    /// Opens a dump; `-` is standard input.
    ///
    /// - Parameter isDry: whether nothing is to be loaded anyway.
    init(path: String, isDry: Bool = false) throws {
        var lines = CheckedLines(try DumpReader(path: path))
        System.restrictNewFiles(toFile: path)
        do {
            guard case .line(let text)? = try lines.next(), text.starts(with: Self.start) else {
                throw Self.noDump(lines.name)
            }
            var encoder = FleeceEncoder()
            let line = try text.withUnsafeBytes { try DumpLine($0, &encoder) }
            guard case .header(let versioning, _) = line else {
                throw DumpFailure(message: "no dump begins so")
            }
            self.versioning = versioning
        } catch let failure as DumpFailure {
            guard !failure.isCutOff else { throw Self.noDump(lines.name) }
            throw Self.damage(failure, lines, isDry)
        }
        do {
            // Nothing is made for a line that is damaged.
            try Self.requireCheck(&lines)
        } catch let failure as DumpFailure {
            throw Self.damage(failure, lines, isDry)
        }
        self.lines = lines
    }

    private static func requireCheck(_ lines: inout CheckedLines) throws {
        guard let part = try lines.next() else { throw DumpFailure.cutOff }
        guard case .check = part else {
            throw DumpFailure(message: "a checksum of the first line is expected before it")
        }
    }

    private static func damage(
        _ failure: DumpFailure, _ lines: CheckedLines, _ isDry: Bool
    ) -> ToolError {
        let what =
            failure.isCutOff
            ? "\(lines.name) is cut off after line 1" : "\(lines.place): \(failure.message)"
        return ToolError(what + (isDry ? "" : "; nothing was loaded"), status: .damaged)
    }

    private static func noDump(_ name: String) -> ToolError {
        ToolError("\(name) is no dump; import reads documents", status: .cannotOpen)
    }

    private static let start = Array(#"{"dump":"#.utf8)
}
