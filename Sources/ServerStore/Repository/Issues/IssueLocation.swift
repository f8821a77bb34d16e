/// A location in source code, at which a test reports an issue: where a repository with an
/// unimplemented member was created.
public struct IssueLocation: Sendable, CustomStringConvertible {
    /// The module and the name of the file, as `#fileID` gives them.
    public var fileID: StaticString
    /// The path of the file, as `#filePath` gives it.
    public var filePath: StaticString
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1.
    public var column: Int

    /// Creates a location, usually from `#fileID`, `#filePath`, `#line` and `#column`.
    ///
    /// - Parameters:
    ///   - fileID: the module and the name of the file.
    ///   - filePath: the path of the file.
    ///   - line: the line, counted from 1.
    ///   - column: the column, counted from 1.
    public init(fileID: StaticString, filePath: StaticString, line: Int, column: Int) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// The file and the line, as `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
