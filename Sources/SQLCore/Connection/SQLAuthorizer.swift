import CSQLite

/// Decides what the statements of a connection may do, while SQLite compiles them.
package final class SQLAuthorizer {
    private let isAllowed: (SQLAction) -> Bool
    /// The first action that was refused; its statement fails with `SQLITE_AUTH`.
    package private(set) var refused: SQLAction?
    /// Whether a pragma was allowed.
    package private(set) var hasPragma = false

    init(_ isAllowed: @escaping (SQLAction) -> Bool) {
        self.isAllowed = isAllowed
    }

    /// Formed here, in code that belongs to no actor: SQLite calls it on the thread that compiles.
    fileprivate static var decide:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Int32
    {
        { pointer, code, first, second, _, _ in
            guard let pointer else { return SQLITE_DENY }
            return Unmanaged<SQLAuthorizer>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                let action = SQLAction(code: code, first, second)
                if $0.isAllowed(action) {
                    if case .pragma = action { $0.hasPragma = true }
                    return SQLITE_OK
                }
                $0.refused = $0.refused ?? action
                return SQLITE_DENY
            }
        }
    }
}

extension SQLConnection {
    /// Lets an authorizer decide from now on; nil allows everything. `sqlite3_set_authorizer`
    func setAuthorizer(_ authorizer: SQLAuthorizer?) {
        self.authorizer = authorizer
        guard let handle else { return }
        let pointer = authorizer.map { Unmanaged.passUnretained($0).toOpaque() }
        sqlite3_set_authorizer(handle, authorizer == nil ? nil : SQLAuthorizer.decide, pointer)
    }
}
