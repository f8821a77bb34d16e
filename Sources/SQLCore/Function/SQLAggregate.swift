internal import CSQLite

/// An aggregate function. SQLite's rows of one group are passed to one value of this type.
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
/// try database.registerAggregate("longest", argumentCount: 1) { Longest() }
/// let name = try database.selectValue(sql: "SELECT longest(name) FROM city")
/// ```
/// A value is created at the first row of a group, and released with it. Its methods are called on
/// the thread that steps the statement. An error that they throw becomes the error of the
/// statement.
///
/// A short aggregate can also consist of closures:
/// ``SQLContext/registerAggregate(_:argumentCount:flags:initial:step:finish:)``. See
/// <doc:FunctionsAndCollations>.
public protocol SQLAggregate {
    /// Adds one row to the group.
    mutating func step(_ call: SQLFunctionCall) throws

    /// Returns the result of the group after `step` has been called for each row; a group can have
    /// no rows.
    ///
    /// SQLite also calls it when a statement is abandoned, and ignores the result.
    mutating func finish() throws -> SQLValue
}

/// An aggregate that can be used as a window function (`OVER`): rows are also removed.
///
/// SQLite calls ``SQLAggregate/step(_:)`` for each row that enters the window, ``inverse(_:)`` for
/// each row that leaves it, and ``value()`` for the result of each row. Without `OVER` it works
/// like any aggregate. Register it by
/// ``SQLContext/registerWindowAggregate(_:argumentCount:flags:_:)``.
public protocol SQLWindowAggregate: SQLAggregate {
    /// Removes the oldest row from the window.
    mutating func inverse(_ call: SQLFunctionCall) throws

    /// Returns the result of the rows that are in the window now.
    mutating func value() throws -> SQLValue
}

/// Type-erased state of a group, so that a single pointer type can refer to it.
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
    /// Binds an object that only functions with the same type name can read; all others read
    /// `NULL`. `sqlite3_bind_pointer`
    ///
    /// The statement retains the object until the parameter is bound again or the statement is
    /// released. A raw function reads it with `SQLRawCall.pointer(at:type:)`, as an `Unmanaged`
    /// reference.
    ///
    /// ```swift
    /// final class Matcher { let words: Set<String> = ["red", "blue"] }
    /// try database.registerRawFunction("matches", argumentCount: 2) { context, count, arguments in
    ///     let call = SQLRawCall(context, count, arguments)
    ///     guard let pointer = call.pointer(at: 0, type: "matcher") else { return }
    ///     let matcher = Unmanaged<Matcher>.fromOpaque(pointer).takeUnretainedValue()
    ///     let word = String(decoding: call.text(at: 1), as: UTF8.self)
    ///     call.setResult(matcher.words.contains(word))
    /// }
    /// let find = try database.prepare(sql: "SELECT * FROM paint WHERE matches(?, color)")
    /// try find.bindPointer(Matcher(), type: "matcher", at: 1)
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object, which is retained.
    ///   - type: The type name; SQL cannot create a pointer of it.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bindPointer(_ object: AnyObject, type: StaticString, at index: Int) throws {
        // Records that the parameter is bound, and throws if there is no such parameter.
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
