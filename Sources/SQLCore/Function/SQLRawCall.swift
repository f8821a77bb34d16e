public import CSQLite

/// An SQL function in SQLite's C form: `(sqlite3_context *, int, sqlite3_value **)`.
///
/// Create it only in nonisolated code: a closure in `@MainActor` code (which includes the top level
/// of main.swift) checks its actor at each call, and traps on any other thread.
///
/// A C function captures nothing: its state is the object that it was registered with, which
/// ``SQLRawCall/withState(_:_:)`` returns.
public typealias SQLRawFunction =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

/// The final step of an aggregate in SQLite's C form: `(sqlite3_context *)`.
///
/// It has no arguments of SQL, so wrap the context alone: `SQLRawCall(context)`.
public typealias SQLRawFinish = @convention(c) (OpaquePointer?) -> Void

/// One call of a raw SQL function: access to its arguments and its result.
///
/// It has no overhead over C, and no checks: an index must be less than ``count``, and pointers are
/// valid only during the call.
/// ```swift
/// try database.registerRawFunction("next", argumentCount: 1) { context, count, arguments in
///     let call = SQLRawCall(context, count, arguments)
///     call.setResult(call.int64(at: 0) &+ 1)
/// }
/// ```
/// Without a result the function returns `NULL`. For checks and Swift types, use
/// ``SQLFunctionCall``, whose calls cost about 130 machine instructions more.
@frozen
public struct SQLRawCall {
    /// The `sqlite3_context *`.
    public let context: OpaquePointer?
    /// The `sqlite3_value **`.
    public let arguments: UnsafeMutablePointer<OpaquePointer?>?
    @usableFromInline let argumentCount: Int32

    /// Wraps the arguments with which SQLite calls a function.
    ///
    /// - Parameters:
    ///   - context: The `sqlite3_context *`.
    ///   - count: The number of arguments (default: 0, for the final step of an aggregate).
    ///   - arguments: The `sqlite3_value **`.
    @inlinable
    public init(
        _ context: OpaquePointer?, _ count: Int32 = 0,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>? = nil
    ) {
        self.context = context
        self.arguments = arguments
        argumentCount = count
    }

    /// The number of arguments; valid indexes are less than it.
    @inlinable public var count: Int { Int(argumentCount) }

    /// The `sqlite3_value *` of an argument, for functions of SQLite's C interface.
    ///
    /// - Parameter index: The position of the argument, from 0; it is not checked.
    @inlinable
    public func argument(at index: Int) -> OpaquePointer? {
        arguments.unsafelyUnwrapped[index]
    }
}

extension SQLRawCall {
    /// The storage class of an argument. `sqlite3_value_type`
    ///
    /// Read it before the argument is read in another type, which can convert it in place.
    @inlinable
    public func type(at index: Int) -> SQLRawType {
        SQLRawType(rawValue: sqlite3_value_type(argument(at: index)))
    }

    /// Whether an argument is `NULL`. `sqlite3_value_type`
    @inlinable
    public func isNull(at index: Int) -> Bool {
        sqlite3_value_type(argument(at: index)) == SQLITE_NULL
    }

    /// An argument as an integer, converted by SQL's rules; 0 for `NULL`. `sqlite3_value_int64`
    ///
    /// - Parameter index: The position of the argument, from 0; it is not checked.
    @inlinable
    public func int64(at index: Int) -> Int64 {
        sqlite3_value_int64(argument(at: index))
    }

    /// An argument as a double, converted by SQL's rules; 0 for `NULL`. `sqlite3_value_double`
    ///
    /// - Parameter index: The position of the argument, from 0; it is not checked.
    @inlinable
    public func double(at index: Int) -> Double {
        sqlite3_value_double(argument(at: index))
    }

    /// The UTF-8 bytes of an argument, not copied; empty for `NULL`. `sqlite3_value_text`
    ///
    /// A number is converted to its text. The bytes are valid until the call returns, or until the
    /// same argument is read in another type.
    @inlinable
    public func text(at index: Int) -> UnsafeRawBufferPointer {
        let value = argument(at: index)
        let start = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The bytes of an argument, not copied; empty for `NULL`. `sqlite3_value_blob`
    ///
    /// A string is its UTF-8. The bytes are valid until the call returns, or until the same
    /// argument is read in another type.
    @inlinable
    public func blob(at index: Int) -> UnsafeRawBufferPointer {
        let value = argument(at: index)
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The subtype of an argument, set by the function that returned it; 0 if none.
    /// `sqlite3_value_subtype`
    ///
    /// Register the function with ``SQLFunctionFlags/subtype``. A subtype exists only between two
    /// functions of one expression, such as `outer(inner(x))`; it is not stored.
    @inlinable
    public func subtype(at index: Int) -> UInt32 {
        sqlite3_value_subtype(argument(at: index))
    }

    /// The pointer that was bound or returned with the same type name, or nil.
    /// `sqlite3_value_pointer`
    ///
    /// See `SQLStatement.bindPointer(_:type:at:)`.
    @inlinable
    public func pointer(at index: Int, type: StaticString) -> UnsafeMutableRawPointer? {
        type.utf8Start.withMemoryRebound(to: CChar.self, capacity: type.utf8CodeUnitCount) {
            sqlite3_value_pointer(argument(at: index), $0)
        }
    }
}

/// The number of one of SQLite's five storage classes.
///
/// It is the type of ``SQLRawCall/type(at:)``, which compares faster than ``SQLType``.
@frozen
public struct SQLRawType: RawRepresentable, Hashable, Sendable {
    /// SQLite's number.
    public let rawValue: Int32

    /// Wraps SQLite's number.
    @inlinable
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `SQLITE_INTEGER`: a signed 64-bit integer.
    @inlinable public static var long: SQLRawType { SQLRawType(rawValue: SQLITE_INTEGER) }
    /// `SQLITE_FLOAT`: a double.
    @inlinable public static var real: SQLRawType { SQLRawType(rawValue: SQLITE_FLOAT) }
    /// `SQLITE_TEXT`: a string.
    @inlinable public static var text: SQLRawType { SQLRawType(rawValue: SQLITE_TEXT) }
    /// `SQLITE_BLOB`: bytes.
    @inlinable public static var blob: SQLRawType { SQLRawType(rawValue: SQLITE_BLOB) }
    /// `SQLITE_NULL`
    @inlinable public static var null: SQLRawType { SQLRawType(rawValue: SQLITE_NULL) }
}

extension SQLRawCall {
    /// Calls `body` with the object that the function was registered with, without retaining it.
    /// `sqlite3_user_data`
    ///
    /// ```swift
    /// final class Calls { var count: Int64 = 0 }
    /// let calls = Calls()
    /// try database.registerRawFunction("calls", argumentCount: 0, state: calls) { context, _, _ in
    ///     let call = SQLRawCall(context)
    ///     call.withState(Calls.self) {
    ///         $0.count += 1
    ///         call.setResult($0.count)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter type: The class of the object; it is not checked.
    /// - Returns: The result of `body`, or nil if the function was registered without an object.
    /// - Parameter body: Called with the object.
    @inlinable
    public func withState<State: AnyObject, Result>(
        _ type: State.Type, _ body: (State) throws -> Result
    ) rethrows -> Result? {
        guard let pointer = sqlite3_user_data(context) else { return nil }
        return try Unmanaged<State>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
            try body($0)
        }
    }

    /// The memory of the current group of an aggregate, zeroed at the first call; nil if memory is
    /// exhausted. `sqlite3_aggregate_context`
    ///
    /// The alignment of `State` must not exceed 8. SQLite frees the memory after the group's end.
    ///
    /// ```swift
    /// try database.registerRawAggregate("evens", argumentCount: 1) { context, count, arguments in
    ///     let call = SQLRawCall(context, count, arguments)
    ///     if call.int64(at: 0) % 2 == 0 { call.groupState(Int64.self)?.pointee += 1 }
    /// } finish: { context in
    ///     let call = SQLRawCall(context)
    ///     call.setResult(call.existingGroupState(Int64.self)?.pointee ?? 0)
    /// }
    /// ```
    ///
    /// - Parameter type: The type of the state, whose value of all zeros must be valid; the same in
    ///   each call of a group.
    @inlinable
    public func groupState<State: BitwiseCopyable>(
        _ type: State.Type
    ) -> UnsafeMutablePointer<State>? {
        sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size))?
            .assumingMemoryBound(to: State.self)
    }

    /// The memory of the group at its end: nil if the group had no row.
    /// `sqlite3_aggregate_context`
    ///
    /// - Parameter type: The type with which the memory was requested; it is not checked.
    @inlinable
    public func existingGroupState<State: BitwiseCopyable>(
        _ type: State.Type
    ) -> UnsafeMutablePointer<State>? {
        sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: State.self)
    }
}

extension SQLRawCall {
    /// The object cached for an argument that is constant in the statement, or nil if there is none
    /// of this class. `sqlite3_get_auxdata`
    ///
    /// - Parameters:
    ///   - index: The position of the argument, from 0.
    ///   - type: The class of the object.
    public func auxiliary<Object: AnyObject>(at index: Int, as type: Object.Type) -> Object? {
        guard let pointer = sqlite3_get_auxdata(context, Int32(clamping: index)) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? Object
    }

    /// Caches an object for an argument, such as a compiled pattern, until the argument changes or
    /// the statement ends; SQLite can release it at any time. `sqlite3_set_auxdata`
    ///
    /// An argument that is not constant in the statement caches nothing.
    /// ``SQLFunctionCall/auxiliary(at:make:)`` combines both calls.
    ///
    /// - Parameters:
    ///   - object: The object, which is retained as long as it is cached.
    ///   - index: The position of the argument, from 0.
    public func setAuxiliary(_ object: AnyObject, at index: Int) {
        let pointer = Unmanaged.passRetained(object).toOpaque()
        sqlite3_set_auxdata(context, Int32(clamping: index), pointer, releaseObject)
    }
}
