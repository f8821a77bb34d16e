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
    ///
    /// Throws `SQLError` with `.range` if there are more or fewer.
    public func bind(parameters: [SQLValue]) throws {
        guard parameters.count == parameterCount else {
            if isClosed { throw closedError() }
            throw SQLError(
                code: .range,
                message: "\(parameters.count) parameters for \(parameterCount) places", sql: sql)
        }
        for index in parameters.indices { try bind(parameters[index], at: index + 1) }
    }

    /// Binds parameters by name, all of them; `:`, `@` or `$` may be left out.
    ///
    /// Throws `SQLError` with `.range` for a name that the statement lacks or that is missing.
    public func bind(parameters: [String: SQLValue]) throws {
        for (name, value) in parameters { try bind(value, named: name) }
        guard parameters.count >= Set(parameterNames.compactMap(\.self)).count else {
            throw SQLError(
                code: .range,
                message: "\(parameters.count) parameters for \(parameterCount) places", sql: sql)
        }
    }

    /// Binds a parameter by its name; `:`, `@` or `$` may be left out.
    /// `sqlite3_bind_parameter_index`
    public func bind(_ value: SQLValue, named name: String) throws {
        let names = [name, ":" + name, "@" + name, "$" + name]
        let indexes = names.lazy.map { Int(sqlite3_bind_parameter_index(self.handle, $0)) }
        guard !name.utf8.contains(0), let index = indexes.first(where: { $0 > 0 }) else {
            if isClosed { throw closedError() }
            throw SQLError(code: .range, message: "there is no parameter \(name)", sql: sql)
        }
        try bind(value, at: index)
    }

    /// The name of a parameter with its `:`, `@` or `$`, nil for one that has none; the first is
    /// 1. `sqlite3_bind_parameter_name`
    public func parameterName(at index: Int) -> String? {
        sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { String(cString: $0) }
    }

    /// The names of all parameters. `sqlite3_bind_parameter_name`
    public var parameterNames: [String?] {
        (0..<parameterCount).map { parameterName(at: $0 + 1) }
    }

    /// Binds one parameter; the first is 1.
    public func bind(_ value: SQLValue, at index: Int) throws {
        switch value {
        case .long(let number): try bind(number, at: index)
        case .real(let number):
            try check(sqlite3_bind_double(handle, Int32(clamping: index), number), index)
        case .text(let text): try bind(text, at: index)
        case .blob(let bytes): try bytes.withUnsafeBytes { try bind($0, at: index) }
        case .null: try bindNull(at: index)
        }
    }

    /// Binds an integer. `sqlite3_bind_int64`
    public func bind(_ number: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(clamping: index), number), index)
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

    /// Binds bytes without copying: they must stay until the statement is reset or bound again.
    package func bindStatic(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: nil)
    }

    /// Binds text without copying: it must stay until the statement is reset or bound again.
    package func bindStaticText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bindText(bytes, at: index, nil)
    }

    /// Binds `NULL`. `sqlite3_bind_null`
    public func bindNull(at index: Int) throws {
        try check(sqlite3_bind_null(handle, Int32(clamping: index)), index)
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer, at index: Int, lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL: an empty blob must not become one.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, Int32(clamping: index), 0), index)
        }
        try check(
            sqlite3_bind_blob64(
                handle, Int32(clamping: index), start, UInt64(bytes.count), lifetime), index)
    }

    private func bindText(
        _ bytes: UnsafeRawBufferPointer, at index: Int, _ lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL: empty text must not become one.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(
                sqlite3_bind_text(handle, Int32(clamping: index), "", 0, transient), index)
        }
        try check(
            sqlite3_bind_text64(
                handle, Int32(clamping: index), start.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), lifetime, UInt8(SQLITE_UTF8)), index)
    }

    @inline(__always)
    private func check(_ code: Int32, _ index: Int) throws {
        guard code == SQLITE_OK else { throw bindError(code, index) }
        noteBound(index)
    }

    @inline(never)
    private func bindError(_ code: Int32, _ index: Int) -> SQLError {
        if isClosed { return closedError() }
        guard code == SQLITE_RANGE else {
            return SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        }
        return SQLError(
            code: .range, message: "there is no parameter \(index), but 1 to \(parameterCount)",
            sql: sql)
    }
}
