/// A file that SQLite was not permitted to open or delete: the `cause` of the `SQLError` that the
/// statement throws.
///
/// Files from an untrusted source can be an attack: SQLite follows a symbolic link, blocks on a
/// FIFO, and deletes the super-journal that a rollback journal names, whatever file that is.
///
/// The journal, WAL and wal-index of a database must be regular files. Nothing is opened or deleted
/// when one of them is refused.
///
/// ```swift
/// do {
///     _ = try database.selectValue(sql: "SELECT 1 FROM sqlite_master")
/// } catch let error as SQLError {
///     if let refusal = error.cause as? SQLFileRefusal { use(refusal.path, "\(refusal)") }
/// }
/// ```
public struct SQLFileRefusal: Error, Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// Why it is refused.
    let reason: Reason

    enum Reason: Hashable {
        case link
        case notRegular
        case notUTF8
        case foreignSuperJournal(String)
        case malformedSuperJournal(String)
        case notDeleted
    }

    init(_ path: String, _ reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension SQLFileRefusal: CustomStringConvertible {
    /// What is wrong with the file, and what to do.
    public var description: String {
        switch reason {
        case .link:
            "\(path) is a symbolic link, which is not followed because it can lead to a file of "
                + "another database; remove it, or replace it by the file itself"
        case .notRegular:
            "\(path) is not a regular file, but a FIFO, a device or a directory; remove it"
        case .notUTF8: "the path \(path) is not valid UTF-8; rename the file or its directory"
        case .foreignSuperJournal(let name):
            "\(path) is a rollback journal that names the super-journal \(name), which is not a "
                + "file of this database, and which SQLite would delete; nothing was opened. If "
                + "the database comes from an untrusted source, do not use it; otherwise remove "
                + "\(path) to open it without the journal"
        case .malformedSuperJournal(let name):
            "\(path) is a rollback journal that names the super-journal \(name), which is larger "
                + "than any that SQLite writes, or lists a file that is not a journal; nothing was "
                + "opened. If the database comes from an untrusted source, do not use it; "
                + "otherwise remove \(path) to open it without the journal"
        case .notDeleted:
            "\(path) is not deleted, because it is not a file of an open database; remove it "
                + "yourself if it is not needed"
        }
    }
}
