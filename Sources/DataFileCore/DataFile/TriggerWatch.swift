internal import SQLCore
internal import StoreFormat

/// Ends a statement in which a trigger of another program does not come to an end.
///
/// For files whose schema is trusted; otherwise no such trigger runs.
final class TriggerWatch {
    private let limit: Int
    /// The trigger that began last in the statement that runs.
    private var trigger: String?
    private var operations = 0
    private var isExceeded = false

    /// - Parameter limit: operations of SQLite's virtual machine in one statement.
    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `body`, a transaction.
    ///
    /// Throws `.unsupported`, naming the trigger, if it was ended.
    func watching<T>(_ session: Session, _ body: () throws -> T) throws -> T {
        let found = try ForeignSchema.find(in: session.context, path: session.path)
        guard found.contains(where: { $0.kind == .trigger }) else { return try body() }
        let hook = try session.context.trace { self.note($0) }
        defer { hook?.remove() }
        do {
            return try session.context.withProgress({ self.goesOn(after: $0) }, body: body)
        } catch  where isExceeded {
            throw StoreError(
                .unsupported,
                "\(session.path) was not changed: the trigger \(trigger ?? "") did not end within "
                    + "\(limit) operations of SQLite; drop it", underlying: error)
        }
    }

    /// SQLite reports each statement that begins: those of triggers and virtual tables as comments.
    private func note(_ sql: String) {
        if sql.hasPrefix(Self.mark) {
            trigger = String(sql.dropFirst(Self.mark.count))
        } else if !sql.hasPrefix("--") {
            trigger = nil
            operations = 0
        }
    }

    private static let mark = "-- TRIGGER "

    private func goesOn(after count: Int) -> Bool {
        guard trigger != nil else { return true }
        operations += count
        isExceeded = operations > limit
        return !isExceeded
    }
}
