internal import CSQLite

/// An aggregate function: one value of this type is made for each group of rows.
///
/// ```swift
/// struct Longest: SQLAggregate {
///     var text = ""
///     mutating func step(_ call: SQLFunctionCall) throws {
///         let next = try call.value(at: 0, as: String.self)
///         if next.count > text.count { text = next }
///     }
///     mutating func finish() -> SQLValue { .text(text) }
/// }
/// try context.registerAggregate("longest", argumentCount: 1) { Longest() }
/// ```
public protocol SQLAggregate {
    /// Takes in one row.
    mutating func step(_ call: SQLFunctionCall) throws

    /// The result for the group, of which `step` saw all rows, or none.
    ///
    /// SQLite asks for it also when a statement is abandoned, and drops it then.
    mutating func finish() throws -> SQLValue
}

/// An aggregate that can be used with `OVER`: rows also leave the window.
public protocol SQLWindowAggregate: SQLAggregate {
    /// Takes out the oldest row.
    mutating func inverse(_ call: SQLFunctionCall) throws

    /// The result for the rows that are in the window now.
    mutating func value() throws -> SQLValue
}

/// A group's state behind one pointer, whatever its type is.
class SQLGroup {
    func step(_ call: SQLFunctionCall) throws {}
    func finish() throws -> SQLValue { .null }
    func inverse(_ call: SQLFunctionCall) throws {}
    func value() throws -> SQLValue { .null }
}

/// The state of one group of an aggregate.
class SQLTypedGroup<Aggregate: SQLAggregate>: SQLGroup {
    var aggregate: Aggregate

    init(_ aggregate: Aggregate) {
        self.aggregate = aggregate
    }

    override func step(_ call: SQLFunctionCall) throws { try aggregate.step(call) }
    override func finish() throws -> SQLValue { try aggregate.finish() }
}

/// The state of one window.
final class SQLWindowGroup<Aggregate: SQLWindowAggregate>: SQLTypedGroup<Aggregate> {
    override func inverse(_ call: SQLFunctionCall) throws { try aggregate.inverse(call) }
    override func value() throws -> SQLValue { try aggregate.value() }
}

extension SQLStatement {
    /// Binds an object that only functions which know the type name can see; to all others it is
    /// `NULL`. `sqlite3_bind_pointer`
    ///
    /// It is kept until the parameter is bound again or the statement goes. A raw function gets it
    /// with `SQLRawCall.pointer(at:type:)`, as an `Unmanaged` reference.
    public func bindPointer(_ object: AnyObject, type: StaticString, at index: Int) throws {
        // The statement notes that the parameter is bound, and refuses one that does not exist.
        try bindNull(at: index)
        let pointer = Unmanaged.passRetained(object).toOpaque()
        // SQLite releases the object even if binding fails.
        let code = type.utf8Start.withMemoryRebound(
            to: CChar.self, capacity: type.utf8CodeUnitCount
        ) {
            sqlite3_bind_pointer(handle, Int32(clamping: index), pointer, $0, releaseObject)
        }
        guard code == SQLITE_OK else {
            throw SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        }
    }
}
