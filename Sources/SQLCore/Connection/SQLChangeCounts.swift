/// The number of times that a connection did what makes caches of its database outdated, beside
/// changes of rows and commits of other connections.
///
/// A cache stores the counts at which it was filled, and is read again if they differ. They are
/// counted where statements start, so that no caller can omit it.
package struct SQLChangeCounts: Equatable, Sendable {
    /// The statements that may have changed the schema, and the rollbacks after them.
    package var schema: UInt32 = 0
    /// The rollbacks: of a transaction, to a savepoint, or by restoring a copy.
    package var rollbacks: UInt32 = 0
}

/// What a statement does beside reading and changing rows.
enum StatementEffect {
    case none
    /// It may change the schema, or which databases there are.
    case schema
    /// It undoes a transaction, or the part after a savepoint.
    case rollback

    /// The effect of the statement that begins with these bytes.
    ///
    /// - Parameter text: the text from the statement's first word on.
    init(of text: some Collection<CChar>) {
        self = .none
        guard let first = text.first, Self.initials.contains(first | 0x20) else { return }
        let word = text.lazy.map { UInt8(bitPattern: $0) | 0x20 }
            .prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        if Self.schemaWords.contains(where: { $0.utf8.elementsEqual(word) }) {
            self = .schema
        } else if "rollback".utf8.elementsEqual(word) {
            self = .rollback
        }
    }

    private static let initials = Set("acdrv".utf8.map { CChar(bitPattern: $0) })
    private static let schemaWords = [
        "alter", "analyze", "attach", "create", "detach", "drop", "vacuum",
    ]
}

extension SQLConnection {
    /// Counts a statement with an effect, which is about to run.
    func count(_ effect: StatementEffect) {
        switch effect {
        case .none: break
        case .schema:
            changeCounts.schema &+= 1
            canUndoSchema = true
        case .rollback:
            changeCounts.rollbacks &+= 1
            if canUndoSchema { changeCounts.schema &+= 1 }
        }
    }
}

extension SQLConnection {
    /// Counts the rollback that a failed statement may have caused: SQLite rolls the transaction
    /// back by itself when the disk is full or fails.
    func countRollbackOfSQLite() {
        if !isInTransaction { count(.rollback) }
    }
}
