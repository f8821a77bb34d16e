internal import DataFileCore

/// A database, and what in it is meant: `people.cblite2//hr.staff/person-0001`.
struct DatabaseAddress {
    /// The folder.
    let path: String
    /// The collection as SCOPE.NAME, nil if none is named.
    let collection: String?
    /// The document's id, which may hold `/`; nil if none is named.
    let id: String?

    init(_ text: String) {
        guard let place = text.firstRange(of: ".cblite2//") else {
            (path, collection, id) = (text, nil, nil)
            return
        }
        path = String(text[..<place.upperBound].dropLast(2))
        let rest = text[place.upperBound...]
        let name = rest.prefix { $0 != "/" }
        collection = name.isEmpty ? nil : String(name)
        let after = rest[name.endIndex...].dropFirst()
        id = after.isEmpty ? nil : String(after)
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
        } catch let error as StoreError
            where error.has(.notFound) && System.entry(path) == .folder
        {
            throw ToolError(
                "\(error.message); a database is a folder NAME.cblite2 that has one",
                status: .cannotOpen)
        }
    }
}
