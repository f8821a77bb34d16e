import CSQLite
internal import StorePlatform

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Parameters and columns as `SQLValue`, and their names.
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
        guard !name.hasNUL, let index = indexes.first(where: { $0 > 0 }) else {
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
}

extension SQLStatement {
    /// The number of columns of the result; 0 for a statement that returns no rows.
    /// `sqlite3_column_count`
    ///
    /// It is known before the statement runs. After a change of the schema it can change with the
    /// first step.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Returns the name of a column, or nil if there is no such column. `sqlite3_column_name`
    ///
    /// Without `AS`, the name of an expression is unspecified and can differ between versions of
    /// SQLite.
    ///
    /// - Parameter index: The position of the column, from 0.
    public func columnName(at index: Int) -> String? {
        guard (0..<columnCount).contains(index) else { return nil }
        return sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) }
    }

    /// The names of all columns. `sqlite3_column_name`
    ///
    /// ```swift
    /// let all = try database.prepare(sql: "SELECT * FROM city")
    /// while try all.next() {
    ///     let row = zip(all.columnNames, all.stringValues())
    ///     for (name, value) in row { use(name, value ?? "-") }
    /// }
    /// ```
    public var columnNames: [String] { (0..<columnCount).map { columnName(at: $0) ?? "" } }

    /// The declared types of the columns, such as `VARCHAR(20)`; nil for expressions.
    /// `sqlite3_column_decltype`
    ///
    /// SQLite does not enforce them, except in `STRICT` tables; ``type(at:)`` is the type of a
    /// value.
    public var columnTypes: [String?] {
        (0..<columnCount).map {
            sqlite3_column_decltype(handle, Int32($0)).map { String(cString: $0) }
        }
    }

    /// Returns the values of the current row, each in its storage class.
    ///
    /// It allocates an array; read single columns by ``long(at:)`` and its siblings if you need
    /// only some. Without a current row all values are `.null`.
    public func rowValues() -> [SQLValue] {
        (0..<columnCount).map { value(at: $0) }
    }

    /// Steps to the next row and returns its values, or nil if there is no row.
    ///
    /// ```swift
    /// let first = try database.prepare(sql: "SELECT name, people FROM city ORDER BY people DESC")
    /// if let values = try first.nextValues(close: true) { use(values) }
    /// ```
    ///
    /// - Parameter close: Whether the statement is closed afterwards.
    /// - Returns: The values of the row.
    /// - Throws: The error of the step; the statement is closed in this case, too, if `close` is
    ///   true.
    public func nextValues(close: Bool = false) throws -> [SQLValue]? {
        defer { if close { self.close() } }
        return try next() ? rowValues() : nil
    }

    /// Returns the current row as strings; nil for `NULL`.
    ///
    /// Numbers are converted by SQLite, and the bytes of a blob are taken as UTF-8. It suits
    /// output; ``rowValues()`` preserves the types.
    public func stringValues() -> [String?] {
        (0..<columnCount).map { text(at: $0) }
    }

    /// Returns a value of the current row in its storage class.
    ///
    /// A column can have values of different types in different rows, so switch over the value if
    /// the schema does not ensure its type.
    ///
    /// ```swift
    /// let settings = try database.prepare(sql: "SELECT value FROM setting")
    /// while try settings.next() {
    ///     switch settings.value(at: 0) {
    ///     case .long(let number): use(number)
    ///     case .text(let text): use(text)
    ///     case .real, .blob, .null: continue
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is
    ///   `NULL`.
    public func value(at index: Int) -> SQLValue {
        switch sqlite3_column_type(handle, Int32(clamping: index)) {
        case SQLITE_INTEGER: .long(long(at: index))
        case SQLITE_FLOAT: .real(real(at: index))
        case SQLITE_TEXT: .text(text(at: index) ?? "")
        case SQLITE_BLOB: .blob(Data(bytes(at: index)))
        default: .null
        }
    }

    /// Returns a copy of the bytes of a column, or nil for `NULL`; an empty blob is not nil.
    /// `sqlite3_column_blob`
    ///
    /// The bytes of a string are its UTF-8, and those of a number its text.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is nil.
    public func blob(at index: Int) -> Data? {
        isNull(at: index) ? nil : Data(bytes(at: index))
    }
}
