public import CSQLite

/// A SQL function in the shape of C: `(sqlite3_context *, int, sqlite3_value **)`.
///
/// Form it in nonisolated code only: a closure that is written in `@MainActor` code (the top level
/// of main.swift too) checks its actor at each call, and stops the process on any other thread.
public typealias SQLRawFunction =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

/// The end of a group in the shape of C: `(sqlite3_context *)`.
public typealias SQLRawFinish = @convention(c) (OpaquePointer?) -> Void

/// One call of a raw SQL function: its arguments, and the place for its result.
///
/// It costs what the same C costs. In exchange nothing is checked: an index must be below `count`,
/// and what it points to is valid during the call only.
/// ```swift
/// try context.registerRawFunction("next", argumentCount: 1) { context, count, arguments in
///     let call = SQLRawCall(context, count, arguments)
///     call.setResult(call.int64(at: 0) &+ 1)
/// }
/// ```
@frozen
public struct SQLRawCall {
    /// The `sqlite3_context *`.
    public let context: OpaquePointer?
    /// The `sqlite3_value **`.
    public let arguments: UnsafeMutablePointer<OpaquePointer?>?
    @usableFromInline let argumentCount: Int32

    /// Wraps what SQLite hands to a function.
    @inlinable
    public init(
        _ context: OpaquePointer?, _ count: Int32 = 0,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>? = nil
    ) {
        self.context = context
        self.arguments = arguments
        argumentCount = count
    }

    /// How many arguments there are.
    @inlinable public var count: Int { Int(argumentCount) }

    /// The `sqlite3_value *` of an argument.
    @inlinable
    public func argument(at index: Int) -> OpaquePointer? {
        arguments.unsafelyUnwrapped[index]
    }
}

extension SQLRawCall {
    /// The type an argument is stored in. `sqlite3_value_type`
    @inlinable
    public func type(at index: Int) -> SQLRawType {
        SQLRawType(rawValue: sqlite3_value_type(argument(at: index)))
    }

    /// Whether an argument is `NULL`. `sqlite3_value_type`
    @inlinable
    public func isNull(at index: Int) -> Bool {
        sqlite3_value_type(argument(at: index)) == SQLITE_NULL
    }

    /// An argument as an integer, converted as SQL does. `sqlite3_value_int64`
    @inlinable
    public func int64(at index: Int) -> Int64 {
        sqlite3_value_int64(argument(at: index))
    }

    /// An argument as a double, converted as SQL does. `sqlite3_value_double`
    @inlinable
    public func double(at index: Int) -> Double {
        sqlite3_value_double(argument(at: index))
    }

    /// An argument as UTF-8, not copied; empty for `NULL`. `sqlite3_value_text`
    @inlinable
    public func text(at index: Int) -> UnsafeRawBufferPointer {
        let value = argument(at: index)
        let start = sqlite3_value_text(value)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// An argument's bytes, not copied; empty for `NULL`. `sqlite3_value_blob`
    @inlinable
    public func blob(at index: Int) -> UnsafeRawBufferPointer {
        let value = argument(at: index)
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    /// The subtype that another function gave its result, 0 if none. `sqlite3_value_subtype`
    @inlinable
    public func subtype(at index: Int) -> UInt32 {
        sqlite3_value_subtype(argument(at: index))
    }

    /// The pointer that was bound or returned under the same type name, or nil.
    /// `sqlite3_value_pointer`
    @inlinable
    public func pointer(at index: Int, type: StaticString) -> UnsafeMutableRawPointer? {
        type.utf8Start.withMemoryRebound(to: CChar.self, capacity: type.utf8CodeUnitCount) {
            sqlite3_value_pointer(argument(at: index), $0)
        }
    }
}

/// One of SQLite's five storage classes, as a number.
@frozen
public struct SQLRawType: RawRepresentable, Hashable, Sendable {
    /// SQLite's number for it.
    public let rawValue: Int32

    /// Wraps SQLite's number.
    @inlinable
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `SQLITE_INTEGER`
    @inlinable public static var long: SQLRawType { SQLRawType(rawValue: SQLITE_INTEGER) }
    /// `SQLITE_FLOAT`
    @inlinable public static var real: SQLRawType { SQLRawType(rawValue: SQLITE_FLOAT) }
    /// `SQLITE_TEXT`
    @inlinable public static var text: SQLRawType { SQLRawType(rawValue: SQLITE_TEXT) }
    /// `SQLITE_BLOB`
    @inlinable public static var blob: SQLRawType { SQLRawType(rawValue: SQLITE_BLOB) }
    /// `SQLITE_NULL`
    @inlinable public static var null: SQLRawType { SQLRawType(rawValue: SQLITE_NULL) }
}

extension SQLRawCall {
    /// Lends the object that the function was registered with, unretained. `sqlite3_user_data`
    ///
    /// `type` must be its class: nothing is checked. Without an object, the result is nil.
    @inlinable
    public func withState<State: AnyObject, Result>(
        _ type: State.Type, _ body: (State) throws -> Result
    ) rethrows -> Result? {
        guard let pointer = sqlite3_user_data(context) else { return nil }
        return try Unmanaged<State>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
            try body($0)
        }
    }

    /// The memory of the current group of an aggregate, zeroed at its first call; nil when there is
    /// none left. `sqlite3_aggregate_context`
    ///
    /// Its alignment may be 8 at most. SQLite frees it after the group's end.
    @inlinable
    public func groupState<State: BitwiseCopyable>(
        _ type: State.Type
    ) -> UnsafeMutablePointer<State>? {
        sqlite3_aggregate_context(context, Int32(MemoryLayout<State>.size))?
            .assumingMemoryBound(to: State.self)
    }

    /// The same at the group's end: nil if the group had no row.
    @inlinable
    public func existingGroupState<State: BitwiseCopyable>(
        _ type: State.Type
    ) -> UnsafeMutablePointer<State>? {
        sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: State.self)
    }
}

extension SQLRawCall {
    /// The object kept with an argument that is constant in the statement, if it is still there and
    /// of this class. `sqlite3_get_auxdata`
    public func auxiliary<Object: AnyObject>(at index: Int, as type: Object.Type) -> Object? {
        guard let pointer = sqlite3_get_auxdata(context, Int32(clamping: index)) else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue() as? Object
    }

    /// Keeps an object with an argument, such as a compiled pattern, until the argument changes or
    /// the statement ends; SQLite may drop it at any time. `sqlite3_set_auxdata`
    public func setAuxiliary(_ object: AnyObject, at index: Int) {
        let pointer = Unmanaged.passRetained(object).toOpaque()
        sqlite3_set_auxdata(context, Int32(clamping: index), pointer, releaseObject)
    }
}
