/// Where in the source something stands.
public struct IssueLocation: Sendable, CustomStringConvertible {
    /// The module and the file's name.
    public var fileID: StaticString
    /// The file's path.
    public var filePath: StaticString
    /// The line.
    public var line: Int
    /// The column.
    public var column: Int

    /// A place in the source.
    public init(fileID: StaticString, filePath: StaticString, line: Int, column: Int) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// The file and the line.
    public var description: String { "\(fileID):\(line)" }
}
