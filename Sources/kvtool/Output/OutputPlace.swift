/// Where a command may write a file.
enum OutputPlace {
    private static let attachments = "Attachments"

    /// Throws for a file in the folder of a database, or in the one of its blobs: what stands there
    /// is the database.
    static func requireOutsideOfDatabases(_ path: String) throws {
        for folder in folders(around: System.resolved(parent(of: path))) {
            guard !System.entry("\(folder)/db.sqlite3").isNothing else { continue }
            throw ToolError(
                "\(Text.line(path)) is in the database \(Text.line(folder)); give another place",
                status: .conflict)
        }
    }

    /// The folders that can be a database, which a file in a folder would be a part of.
    private static func folders(around folder: String) -> [String] {
        var folders = [folder]
        var inner = folder
        while inner != "/", !inner.isEmpty {
            let outer = parent(of: inner)
            let isBlobs = inner.hasSuffix("/" + attachments) && inner == folder
            if outer.hasSuffix(".cblite2") || isBlobs { folders.append(outer) }
            guard outer != inner else { break }
            inner = outer
        }
        return folders
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
