internal import DataFileCore

/// A document that was named and is not there.
enum MissingDocument {
    /// What is said of it.
    static func message(_ id: String, _ name: CollectionName) -> String {
        "document \"\(Text.line(id))\" is not in the collection \(name)"
    }

    /// Says it of one among several, while the command goes on.
    static func report(_ id: String, _ name: CollectionName) {
        StandardError.writeAboutSubject(message(id, name), status: .notFound)
    }

    /// Says it of several, and ends the command if there are any.
    static func report(_ ids: [String], _ name: @autoclosure () throws -> CollectionName) throws {
        guard !ids.isEmpty else { return }
        for id in ids { report(id, try name()) }
        throw ReportedFailure(status: .notFound)
    }
}
