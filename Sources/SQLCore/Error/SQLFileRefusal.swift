/// A file beside a database that SQLite is kept from opening or deleting: the `cause` of the
/// `SQLError` that the statement throws.
///
/// Files that come from a stranger can be traps: SQLite follows a symbolic link, waits at a FIFO,
/// and deletes the super-journal that a rollback journal names, whatever file that is.
public struct SQLFileRefusal: Error, Hashable, Sendable {
    /// The file.
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
            "\(path) is a symbolic link, which is not followed, since it can lead to a file of "
                + "another database; remove it, or put the file itself there"
        case .notRegular:
            "\(path) is not a regular file, but a FIFO, a device or a directory; remove it"
        case .notUTF8: "\(path) has bytes in its path that are not UTF-8; rename what has them"
        case .foreignSuperJournal(let name):
            "\(path) is a rollback journal that names the super-journal \(name), which is not a "
                + "file of this database, and which SQLite would delete; nothing was opened. If "
                + "the database comes from a stranger, do not trust it; remove \(path) to open it "
                + "without that"
        case .malformedSuperJournal(let name):
            "\(path) is a rollback journal that names the super-journal \(name), which is larger "
                + "than any that SQLite writes, or lists what is not a journal; nothing was opened. "
                + "If the database comes from a stranger, do not trust it; remove \(path) to open "
                + "it without that"
        case .notDeleted:
            "\(path) is not deleted, since it is not a file of an open database; remove it "
                + "yourself if it is of no use"
        }
    }
}
