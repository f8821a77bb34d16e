import CSQLite

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The destructor that makes SQLite copy the bytes before the call returns: `SQLITE_TRANSIENT`.
private var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

extension SQLStatement {
    /// The number of parameters. `sqlite3_bind_parameter_count`
    ///
    /// It is the largest parameter number: `?5` alone counts as 5. A named parameter counts once,
    /// however often it is used.
    public var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Binds all parameters by position.
    ///
    /// ```swift
    /// let find = try database.prepare(sql: "SELECT name FROM city WHERE people BETWEEN ? AND ?")
    /// try find.bind(parameters: [.long(100_000), .long(500_000)])
    /// ```
    /// - Parameter parameters: One value for each parameter; the first is for parameter 1.
    /// - Throws: ``SQLError``: `.range` if the number of values is not ``parameterCount``,
    ///   `.misuse` if the statement is closed.
    public func bind(parameters: [SQLValue]) throws {
        guard parameters.count == parameterCount else {
            if isClosed { throw closedError() }
            throw SQLError(
                code: .range,
                message: "\(parameters.count) values for \(parameterCount) parameters", sql: sql)
        }
        for index in parameters.indices { try bind(parameters[index], at: index + 1) }
    }

    /// Binds all parameters by name; the prefix `:`, `@` or `$` can be omitted.
    ///
    /// ```swift
    /// let find = try database.prepare(
    ///     sql: "SELECT name FROM city WHERE country = :country AND people > :least")
    /// try find.bind(parameters: ["country": .text("NO"), "least": .long(100_000)])
    /// ```
    /// - Parameter parameters: A value for each name.
    /// - Throws: ``SQLError``: `.range` if the statement does not have a parameter of that name, or
    ///   if a value is missing.
    public func bind(parameters: [String: SQLValue]) throws {
        for (name, value) in parameters { try bind(value, named: name) }
        guard parameters.count >= Set(parameterNames.compactMap(\.self)).count else {
            throw SQLError(
                code: .range,
                message: "\(parameters.count) values for \(parameterCount) parameters", sql: sql)
        }
    }

    /// Binds a parameter by its name. `sqlite3_bind_parameter_index`
    ///
    /// Each call searches the name; bind by position where that matters.
    ///
    /// ```swift
    /// let rename = try database.prepare(sql: "UPDATE city SET name = @new WHERE name = @old")
    /// try rename.bind(.text("Istanbul"), named: "new")
    /// try rename.bind(.text("Constantinople"), named: "@old")
    /// _ = try rename.next()
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value; it is copied.
    ///   - name: The name; the prefix `:`, `@` or `$` can be omitted.
    /// - Throws: ``SQLError``: `.range` if the statement has no parameter of that name.
    public func bind(_ value: SQLValue, named name: String) throws {
        let names = [name, ":" + name, "@" + name, "$" + name]
        let indexes = names.lazy.map { Int(sqlite3_bind_parameter_index(self.handle, $0)) }
        guard !name.utf8.contains(0), let index = indexes.first(where: { $0 > 0 }) else {
            if isClosed { throw closedError() }
            throw SQLError(code: .range, message: "there is no parameter \(name)", sql: sql)
        }
        try bind(value, at: index)
    }

    /// Returns the name of a parameter with its prefix `:`, `@` or `$`, or nil for a parameter
    /// without a name. `sqlite3_bind_parameter_name`
    ///
    /// A parameter `?5` has the name `?5`; a plain `?` has none.
    ///
    /// - Parameter index: The position of the parameter, from 1.
    /// - Returns: The name; nil also for a position that does not exist.
    public func parameterName(at index: Int) -> String? {
        sqlite3_bind_parameter_name(handle, Int32(clamping: index)).map { String(cString: $0) }
    }

    /// The names of all parameters, nil for those without a name. `sqlite3_bind_parameter_name`
    ///
    /// The element at index 0 is the name of parameter 1.
    public var parameterNames: [String?] {
        (0..<parameterCount).map { parameterName(at: $0 + 1) }
    }

    /// Binds one parameter by its position.
    ///
    /// ```swift
    /// let insert = try database.prepare(sql: "INSERT INTO city (name, people) VALUES (?, ?)")
    /// try insert.bind(.text("Cairo"), at: 1)
    /// try insert.bind(.null, at: 2)
    /// _ = try insert.next()
    /// ```
    /// - Parameters:
    ///   - value: The value; it is copied.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter, `.tooBig` if the
    ///   value exceeds SQLite's limit of a billion bytes by default, `.misuse` while the statement
    ///   is between its first row and its end.
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
    ///
    /// - Parameters:
    ///   - number: The integer.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bind(_ number: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(clamping: index), number), index)
    }

    /// Binds a copy of a string. `sqlite3_bind_text64`
    ///
    /// - Parameters:
    ///   - text: The string, which can contain NUL. An empty string is not `NULL`.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bind(_ text: String, at index: Int) throws {
        var text = text
        try text.withUTF8 { try bindText(UnsafeRawBufferPointer($0), at: index, transient) }
    }

    /// Binds a copy of bytes as a blob. `sqlite3_bind_blob64`
    ///
    /// ```swift
    /// let insert = try database.prepare(sql: "INSERT INTO image (bytes) VALUES (?)")
    /// let pixels: [UInt8] = [255, 128, 0]
    /// try pixels.withUnsafeBytes { try insert.bind($0, at: 1) }
    /// _ = try insert.next()
    /// ```
    /// - Parameters:
    ///   - bytes: The bytes. An empty blob is not `NULL`.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bind(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: transient)
    }

    /// Binds bytes without a copy: they must stay valid until the statement is reset or the
    /// parameter is bound again.
    package func bindStatic(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: nil)
    }

    /// Binds UTF-8 bytes as a string without a copy: they must stay valid until the statement is
    /// reset or the parameter is bound again.
    package func bindStaticText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bindText(bytes, at: index, nil)
    }

    /// Binds `NULL`. `sqlite3_bind_null`
    ///
    /// It is necessary, since a parameter that was never bound is an error.
    ///
    /// - Parameter index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bindNull(at index: Int) throws {
        try check(sqlite3_bind_null(handle, Int32(clamping: index)), index)
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer, at index: Int, lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL instead of an empty blob.
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
        // A null pointer would bind NULL instead of an empty string.
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
            code: .range, message: "there is no parameter \(index), only 1 to \(parameterCount)",
            sql: sql)
    }
}
