/// What one side of `cp` is, as its name says, or what is there.
enum CopyPlace: Equatable {
    case database
    /// A file of documents, or a stream.
    case file
    /// A folder with a file ID.json for each document.
    case folder

    /// The endings of databases' names. The first one is the convention.
    static let databases = DatabaseNames.endings
    /// The endings of files of documents that can be written.
    static let files = [".json", ".ndjson", ".jsonl", ".csv", ".tsv"]

    /// Nil if neither the name nor what is there tells.
    init?(_ path: String) {
        var name = path.lowercased()
        while name.hasSuffix("/") { name.removeLast() }
        let isFolder = path.hasSuffix("/")
        if DatabaseAddress(path).path != path || Self.holdsDatabase(path) {
            self = .database
        } else if Self.databases.contains(where: name.hasSuffix) {
            self = .database
        } else if isFolder || System.entry(path) == .folder {
            self = .folder
        } else if path == "-" || Self.files.contains(where: name.hasSuffix) {
            self = .file
        } else if System.entry(path) == .other {
            // A pipe, a device.
            self = .file
        } else {
            return nil
        }
    }

    private static func holdsDatabase(_ path: String) -> Bool {
        if case .file = System.entry("\(path)/db.sqlite3") { return true }
        return false
    }

    /// What is said of a destination that is none of them.
    static func unknown(_ path: String) -> ToolError {
        ToolError(
            "\(Text.line(path)) does not say what it is to be: a database ends with "
                + "\(databases[0]) (\(databases.dropFirst().joined(separator: ", "))), a file of "
                + "documents with \(files.joined(separator: ", ")), a folder of documents with /",
            status: .usage)
    }
}
