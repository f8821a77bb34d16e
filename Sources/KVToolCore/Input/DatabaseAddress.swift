package import DocumentStore

/// A database, with an optional collection and document: `people.cblite2//hr.staff/person-0001`.
package struct DatabaseAddress {
    /// The path of the database directory.
    package let path: String
    /// The collection as SCOPE.NAME; nil if not specified.
    package let collection: String?
    /// The document's ID, which may contain `/`; nil if not specified.
    package let id: String?
    /// Whether the address named the SQLite file of a directory without the database extension,
    /// which is opened read-only.
    package var isBareFile = false

    package init(_ text: String) {
        if let directory = DatabaseNames.directory(ofFile: text) {
            (path, collection, id) = (directory, nil, nil)
            isBareFile = !directory.hasSuffix(DatabaseNames.endings[0])
            return
        }
        guard let end = Self.endOfPath(text) else {
            (path, collection, id) = (text, nil, nil)
            return
        }
        path = String(text[..<end])
        let rest = text[end...].dropFirst(2)
        let name = rest.prefix { $0 != "/" }
        collection = name.isEmpty ? nil : String(name)
        let after = rest[name.endIndex...].dropFirst()
        id = after.isEmpty ? nil : String(after)
    }

    /// The end of the database path before `//`; nil if the address names only a database.
    ///
    /// A database whose name does not end in .cblite2 is recognized by its file.
    private static func endOfPath(_ text: String) -> String.Index? {
        if let ending = text.firstRange(of: ".cblite2//") {
            return text.index(ending.upperBound, offsetBy: -2)
        }
        return text.ranges(of: "//").map(\.lowerBound).first { isDatabase(text[..<$0]) }
    }

    private static func isDatabase(_ path: Substring) -> Bool {
        guard !path.isEmpty else { return false }
        switch System.entry(String(path)) {
        case .file: return true
        case .directory: return !System.entry("\(path)/db.sqlite3").isNothing
        case .nothing, .other: return false
        }
    }
}

extension DatabaseAddress {
    /// Opens the database at a path.
    ///
    /// - Parameters:
    ///   - key: the key from the command line.
    ///   - usesKey: whether to open it with its key, prompting if necessary; a database without
    /// encryption opens without it.
    /// - Throws: `.notFound` only if nothing exists at the path; a directory that is not a database
    ///   is reported like one that cannot be opened.
    package static func open(
        _ path: String, _ options: DataFileOptions, key: KeySource? = nil, usesKey: Bool = true
    ) throws -> DataFile {
        do {
            guard usesKey else { return try DataFile(path: path, options: options) }
            return try DatabaseKeys.current.opening(path, options, key) {
                try DataFile(path: path, options: $0)
            }
        } catch let error as StoreError {
            throw explained(error, path)
        }
    }

    /// Adds to an error of opening a suggestion, or what exists at the path instead.
    private static func explained(_ error: StoreError, _ path: String) -> any Error {
        let codes: [StoreError.Code] = [.notFound, .notADatabaseFile, .wrongFormat]
        guard codes.contains(where: error.has) else { return error }
        if let foreign = ForeignDatabase(path), !error.isAboutSalt {
            return ToolError(foreign.message(path), status: .cannotOpen)
        }
        guard error.has(.notFound) else { return error }
        guard System.entry(path) == .directory else {
            guard let other = DatabaseNames.suggestion(for: path) else { return error }
            return ToolError(
                "\(error.message); did you mean \(Text.line(other))?", status: .notFound)
        }
        let hint =
            DatabaseNames.list(in: path).map { "it contains \($0)" }
            ?? "a database is a directory NAME.cblite2 that contains one"
        return ToolError("\(error.message); \(hint)", status: .cannotOpen)
    }
}

/// Names of databases, and suggestions for names that do not exist.
package enum DatabaseNames {
    /// The extensions of database names; the first is the convention.
    package static let endings = [".cblite2", ".cblite", ".db", ".sqlite", ".sqlite3"]
    /// The file in a database's directory.
    static let file = "db.sqlite3"
    /// The maximum number of databases in a message.
    private static let maximumNames = 8

    /// Suggests a database for a path that does not exist: the same name with the extension, or a
    /// similar name.
    package static func suggestion(for path: String) -> String? {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { return nil }
        let whole = String(path) + endings[0]
        if isDatabase(whole) { return whole }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (directory, name) = (String(path[..<start]), String(path[start...]))
        let others = names(in: directory.isEmpty ? "." : directory)
        let ending = endings.first(where: name.hasSuffix) ?? ""
        let bare = String(name.dropLast(ending.count))
        let nearest = EditDistance.nearest(
            to: bare, among: others.map { String($0.dropLast(endings[0].count)) })
        return nearest.map { directory + $0 + endings[0] }
    }

    /// The names of the databases in a directory.
    static func names(in directory: String) -> [String] {
        let names = (try? System.names(in: directory)) ?? []
        return names.filter { $0.hasSuffix(endings[0]) && isDatabase("\(directory)/\($0)") }
    }

    /// The databases in a directory, as text; nil if there are none.
    static func list(in directory: String) -> String? {
        let names = names(in: directory)
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(maximumNames).map { Text.line($0) }.joined(separator: ", ")
        return names.count > maximumNames
            ? "\(shown) and \(names.count - maximumNames) more" : shown
    }

    /// Whether a directory contains the file of a database.
    package static func isDatabase(_ path: String) -> Bool {
        guard case .file = System.entry("\(path)/\(file)") else { return false }
        return true
    }

    /// The directory of a path that names the database file; nil for other paths.
    package static func directory(ofFile path: String) -> String? {
        guard path == file || path.hasSuffix("/" + file), case .file = System.entry(path) else {
            return nil
        }
        let directory = path.dropLast(file.count)
        return directory.isEmpty ? "." : directory.count == 1 ? "/" : String(directory.dropLast())
    }
}

/// Expands `~` in lines that were not processed by a system shell.
package enum HomeDirectory {
    /// Expands a path that begins with `~/`, or with `@~/` for a file to read.
    package static func expanded(_ path: String, home: String? = System.environment("HOME"))
        -> String
    {
        guard let home, !home.isEmpty else { return path }
        for start in ["~/", "@~/"] where path.hasPrefix(start) {
            return String(start.dropLast(2)) + home + path.dropFirst(start.count - 1)
        }
        return path
    }
}
