internal import DocumentStore

/// Names of databases, and what may have been meant by one that leads to none.
enum DatabaseNames {
    /// The endings of names. The first one is the convention.
    static let endings = [".cblite2", ".cblite", ".db", ".sqlite", ".sqlite3"]
    /// The file in a database's folder.
    static let file = "db.sqlite3"
    /// The most databases that a message names.
    private static let maximumNames = 8

    /// The database that a path may have been meant to lead to, where it leads to nothing: one with
    /// the ending, or with a name that is nearly the same.
    static func suggestion(for path: String) -> String? {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { return nil }
        let whole = String(path) + endings[0]
        if isDatabase(whole) { return whole }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, name) = (String(path[..<start]), String(path[start...]))
        let others = names(in: folder.isEmpty ? "." : folder)
        let ending = endings.first(where: name.hasSuffix) ?? ""
        let bare = String(name.dropLast(ending.count))
        let nearest = EditDistance.nearest(
            to: bare, among: others.map { String($0.dropLast(endings[0].count)) })
        return nearest.map { folder + $0 + endings[0] }
    }

    /// The names of the databases in a folder.
    static func names(in folder: String) -> [String] {
        let names = (try? System.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(endings[0]) && isDatabase("\(folder)/\($0)") }
    }

    /// Those that a folder holds, in words; nil for none.
    static func list(in folder: String) -> String? {
        let names = names(in: folder)
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(maximumNames).map { Text.line($0) }.joined(separator: ", ")
        return names.count > maximumNames
            ? "\(shown) and \(names.count - maximumNames) more" : shown
    }

    /// Whether a folder has the file of a database.
    static func isDatabase(_ path: String) -> Bool {
        guard case .file = System.entry("\(path)/\(file)") else { return false }
        return true
    }

    /// The folder of a path that names the file in it; nil for any other path.
    static func folder(ofFile path: String) -> String? {
        guard path == file || path.hasSuffix("/" + file), case .file = System.entry(path) else {
            return nil
        }
        let folder = path.dropLast(file.count)
        return folder.isEmpty ? "." : folder.count == 1 ? "/" : String(folder.dropLast())
    }
}
