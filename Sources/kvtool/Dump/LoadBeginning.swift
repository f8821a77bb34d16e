internal import DataFileCore
internal import FleeceLite

/// The beginning of a dump: what the database must be before anything can be loaded.
struct LoadBeginning {
    let versioning: Versioning
    /// Behind the check of the first line.
    let lines: CheckedLines

    /// Opens a dump; `-` is standard input.
    init(path: String) throws {
        var lines = CheckedLines(try DumpReader(path: path))
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
            // Nothing is made for a line that is damaged.
            guard case .check? = try lines.next() else {
                throw DumpFailure(message: "a checksum of the first line is expected behind it")
            }
        } catch let failure as DumpFailure {
            guard !failure.isCutOff else { throw Self.noDump(lines.name) }
            throw ToolError("\(lines.place): \(failure.message)", status: .damaged)
        }
        self.lines = lines
    }

    private static func noDump(_ name: String) -> ToolError {
        ToolError("\(name) is no dump; import reads documents", status: .cannotOpen)
    }

    private static let start = Array(#"{"dump":"#.utf8)
}
