internal import DocumentStore

/// A database, and what in it is meant: `people.cblite2//hr.staff/person-0001`.
struct DatabaseAddress {
    /// The folder.
    let path: String
    /// The collection as SCOPE.NAME, nil if none is named.
    let collection: String?
    /// The document's id, which may hold `/`; nil if none is named.
    let id: String?
    /// Whether the path is that of a folder without a database's name, whose file was named: it is
    /// only read.
    var isBareFile = false

    init(_ text: String) {
        if let folder = DatabaseNames.folder(ofFile: text) {
            (path, collection, id) = (folder, nil, nil)
            isBareFile = !folder.hasSuffix(DatabaseNames.endings[0])
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

    /// Where the path of the database ends and `//` follows; nil where nothing in it is named.
    ///
    /// A database with another name than NAME.cblite2 is known by its file.
    private static func endOfPath(_ text: String) -> String.Index? {
        if let place = text.firstRange(of: ".cblite2//") {
            return text.index(place.upperBound, offsetBy: -2)
        }
        return text.ranges(of: "//").map(\.lowerBound).first { isDatabase(text[..<$0]) }
    }

    private static func isDatabase(_ path: Substring) -> Bool {
        guard !path.isEmpty else { return false }
        switch System.entry(String(path)) {
        case .file: return true
        case .folder: return !System.entry("\(path)/db.sqlite3").isNothing
        case .nothing, .other: return false
        }
    }
}

extension DatabaseAddress {
    /// Opens the database at a path.
    ///
    /// Throws for a folder that is none as for one that cannot be opened; only nothing at all is
    /// not found.
    ///
    /// - Parameters:
    ///   - key: what the command line says of its key.
    ///   - usesKey: whether it is opened with its key, which may be asked for; a plain one opens
    ///     without it.
    static func open(
        _ path: String, _ options: DataFileOptions, key: KeySource? = nil, usesKey: Bool = true
    ) throws -> DataFile {
        do {
            guard usesKey else { return try DataFile(path: path, options: options) }
            return try DatabaseKeys.opening(path, options, key) {
                try DataFile(path: path, options: $0)
            }
        } catch let error as StoreError {
            throw explained(error, path)
        }
    }

    /// An error of opening, with what may have been meant, or what is there instead.
    private static func explained(_ error: StoreError, _ path: String) -> any Error {
        let codes: [StoreError.Code] = [.notFound, .notADatabaseFile, .wrongFormat]
        guard codes.contains(where: error.has) else { return error }
        if let foreign = ForeignDatabase(path), !error.isAboutSalt {
            return ToolError(foreign.message(path), status: .cannotOpen)
        }
        guard error.has(.notFound) else { return error }
        guard System.entry(path) == .folder else {
            guard let other = DatabaseNames.suggestion(for: path) else { return error }
            return ToolError(
                "\(error.message); did you mean \(Text.line(other))?", status: .notFound)
        }
        let hint =
            DatabaseNames.list(in: path).map { "it holds \($0)" }
            ?? "a database is a folder NAME.cblite2 that has one"
        return ToolError("\(error.message); \(hint)", status: .cannotOpen)
    }
}
