internal import DocumentStore

/// A document that was named and is not there, or a pattern that none matches.
enum MissingDocument {
    /// What is said of it.
    static func message(_ name: String, _ collection: CollectionName) -> String {
        KeyPattern(name) == nil
            ? "document \"\(Text.line(name))\" is not in the collection \(collection)"
            : "no document of the collection \(collection) matches \"\(Text.line(name))\""
    }

    /// Says it of one among several, while the command goes on.
    static func report(_ name: String, _ collection: CollectionName) {
        StandardError.writeAboutSubject(message(name, collection), status: .notFound)
    }

    /// Says it of several, and ends the command if there are any: as done in part if others were
    /// there.
    static func report(
        _ names: [String], _ collection: CollectionName, found: Int
    ) throws {
        guard !names.isEmpty else { return }
        for name in names { report(name, collection) }
        throw ReportedFailure(status: status(found: found))
    }

    /// The status of a command that did not find all that it was told of.
    static func status(found: Int) -> ExitStatus { found > 0 ? .partial : .notFound }
}
