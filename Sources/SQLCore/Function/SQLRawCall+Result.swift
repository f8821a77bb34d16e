public import CSQLite

/// How long the bytes of a result stay valid.
///
/// It is an argument of ``SQLRawCall/setText(_:_:)`` and ``SQLRawCall/setBlob(_:_:)``.
@frozen
public enum SQLLifetime: Sendable {
    /// Until the call returns: SQLite copies them. `SQLITE_TRANSIENT`
    case transient
    /// For the lifetime of the process: SQLite uses them without a copy. `SQLITE_STATIC`
    case unlimited

    /// The destructor argument for SQLite.
    @inlinable var destructor: sqlite3_destructor_type? {
        switch self {
        case .transient: unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        case .unlimited: nil
        }
    }
}

extension SQLRawCall {
    /// Sets the result to an integer. `sqlite3_result_int64`
    ///
    /// A later call of any method that sets the result replaces it.
    @inlinable
    public func setResult(_ number: Int64) {
        sqlite3_result_int64(context, number)
    }

    /// Sets the result to a double; NaN becomes `NULL`. `sqlite3_result_double`
    @inlinable
    public func setResult(_ number: Double) {
        sqlite3_result_double(context, number)
    }

    /// Sets the result to 1 or 0, since SQLite has no Boolean storage class. `sqlite3_result_int`
    @inlinable
    public func setResult(_ bool: Bool) {
        sqlite3_result_int(context, bool ? 1 : 0)
    }

    /// Sets the result to a UTF-8 string; an empty one is not `NULL`. `sqlite3_result_text64`
    ///
    /// ```swift
    /// try database.registerRawFunction("greeting", argumentCount: 0) { context, _, _ in
    ///     let text: StaticString = "hello"
    ///     SQLRawCall(context).setText(
    ///         UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount),
    ///         .unlimited)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The UTF-8 of the string; it is not validated.
    ///   - lifetime: How long the bytes stay valid (default: until the call returns).
    @inlinable
    public func setText(_ bytes: UnsafeRawBufferPointer, _ lifetime: SQLLifetime = .transient) {
        guard let start = bytes.baseAddress else { return sqlite3_result_text(context, "", 0, nil) }
        sqlite3_result_text64(
            context, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
            lifetime.destructor, UInt8(SQLITE_UTF8))
    }

    /// Sets the result to a blob; an empty one is not `NULL`. `sqlite3_result_blob64`
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - lifetime: How long the bytes stay valid (default: until the call returns).
    @inlinable
    public func setBlob(_ bytes: UnsafeRawBufferPointer, _ lifetime: SQLLifetime = .transient) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return setZeroBlob(count: 0) }
        sqlite3_result_blob64(context, start, UInt64(bytes.count), lifetime.destructor)
    }

    /// Sets the result to a blob of zeros, or to the error `SQLITE_TOOBIG` if the count is negative
    /// or exceeds the connection's limit. `sqlite3_result_zeroblob64`
    @inlinable
    public func setZeroBlob(count: Int) {
        if sqlite3_result_zeroblob64(context, UInt64(bitPattern: Int64(count))) != SQLITE_OK {
            sqlite3_result_error_toobig(context)
        }
    }

    /// Sets the result to `NULL`, which it also is if no result is set. `sqlite3_result_null`
    @inlinable
    public func setNull() {
        sqlite3_result_null(context)
    }

    /// Sets the result to one of the arguments, unchanged. `sqlite3_result_value`
    ///
    /// It also preserves the subtype and costs no conversion.
    @inlinable
    public func setResult(argumentAt index: Int) {
        sqlite3_result_value(context, argument(at: index))
    }

    /// Sets the subtype of the result, for a function that takes it as an argument. Call it after
    /// the result is set. `sqlite3_result_subtype`
    @inlinable
    public func setSubtype(_ subtype: UInt32) {
        sqlite3_result_subtype(context, subtype)
    }

    /// Makes the statement fail with this message and code. `sqlite3_result_error`
    ///
    /// - Parameters:
    ///   - message: The message of the ``SQLError`` that the statement throws.
    ///   - code: Its code (default: `.error`); a code of success becomes `.error`.
    public func setError(_ message: String, code: SQLResultCode = .error) {
        sqlite3_result_error(context, message, Int32(clamping: message.utf8.count))
        sqlite3_result_error_code(context, code.asFailure.rawValue)
    }

    /// Makes the statement fail with the error's description, or with the message and the code of a
    /// `SQLError`.
    ///
    /// It is the way to report a Swift error from a raw function, which cannot throw.
    ///
    /// ```swift
    /// try database.registerRawFunction("half", argumentCount: 1) { context, count, arguments in
    ///     let call = SQLRawCall(context, count, arguments)
    ///     guard call.type(at: 0) == .long else {
    ///         return call.setError(SQLError(code: .mismatch, message: "half() needs an integer"))
    ///     }
    ///     call.setResult(call.int64(at: 0) / 2)
    /// }
    /// ```
    public func setError(_ error: any Error) {
        let failure = SQLFailure(error)
        setError(failure.message, code: failure.code)
    }
}
