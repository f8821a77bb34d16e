/// A location in source code.
public struct IssueLocation: Sendable, CustomStringConvertible {
    /// The module and the name of the file.
    public var fileID: StaticString
    /// The path of the file.
    public var filePath: StaticString
    /// The line.
    public var line: Int
    /// The column.
    public var column: Int

    /// Creates a location.
    public init(fileID: StaticString, filePath: StaticString, line: Int, column: Int) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// The file and the line.
    public var description: String { "\(fileID):\(line)" }
}
