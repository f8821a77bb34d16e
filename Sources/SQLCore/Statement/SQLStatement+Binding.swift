import CSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tells SQLite to copy the bytes before the call returns: `SQLITE_TRANSIENT`.
private var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension SQLStatement {
    /// How many parameters it takes. `sqlite3_bind_parameter_count`
    public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Binds all parameters; there must be as many as the statement takes.
    public func bind(parameters: [SQLValue]) throws {
        guard parameters.count == parameterCount else {
            throw SQLError(
                code: .range,
                message: "\(parameters.count) parameters for \(parameterCount) places", sql: sql)
        }
        for (index, value) in parameters.enumerated() { try bind(value, at: index + 1) }
    }

    /// Binds one parameter; the first is 1.
    public func bind(_ value: SQLValue, at index: Int) throws {
        switch value {
        case .long(let number): try bind(number, at: index)
        case .real(let number): try check(sqlite3_bind_double(handle, Int32(index), number))
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes): try bytes.withUnsafeBytes { try bind($0, at: index) }
        case .null: try bindNull(at: index)
        }
    }

    /// Binds an integer. `sqlite3_bind_int64`
    public func bind(_ number: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(index), number))
    }

    /// Binds text, copied; it may hold NUL. `sqlite3_bind_text64`
    public func bind(_ text: String, at index: Int) throws {
        var text = text
        try text.withUTF8 { try bindText(UnsafeRawBufferPointer($0), at: index, transient) }
    }

    /// Binds bytes, copied. `sqlite3_bind_blob64`
    public func bind(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: transient)
    }

    /// Binds bytes without copying: they must stay until the statement is reset or bound anew.
    package func bindStatic(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: nil)
    }

    /// Binds text without copying: it must stay until the statement is reset or bound anew.
    package func bindStaticText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bindText(bytes, at: index, nil)
    }

    /// Binds `NULL`. `sqlite3_bind_null`
    public func bindNull(at index: Int) throws {
        try check(sqlite3_bind_null(handle, Int32(index)))
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer, at index: Int, lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL: an empty blob must not become one.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, Int32(index), 0))
        }
        try check(
            sqlite3_bind_blob64(handle, Int32(index), start, UInt64(bytes.count), lifetime))
    }

    private func bindText(
        _ bytes: UnsafeRawBufferPointer, at index: Int, _ lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL: empty text must not become one.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_text(handle, Int32(index), "", 0, transient))
        }
        try check(
            sqlite3_bind_text64(
                handle, Int32(index), start.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), lifetime, UInt8(SQLITE_UTF8)))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        }
    }
}
