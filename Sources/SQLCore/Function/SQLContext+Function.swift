import CSQLite

/// Keeps a function's closure alive for as long as SQLite has it registered.
private final class FunctionBox {
    let body: (SQLFunctionCall) throws -> SQLValue

    init(_ body: @escaping (SQLFunctionCall) throws -> SQLValue) {
        self.body = body
    }
}

extension SQLContext {
    /// Registers an SQL function. `sqlite3_create_function_v2`
    ///
    /// ```swift
    /// try database.registerFunction("reverse", argumentCount: 1) { call in
    ///     guard let text = call.value(at: 0).textValue else { return .null }
    ///     return .text(String(text.reversed()))
    /// }
    /// let back = try database.selectValue(sql: "SELECT reverse('stressed')")
    /// ```
    /// The function belongs to this connection: register it on every connection that uses it, for
    /// example by a ``SQLiteConfiguration``. One that is used in an index or a generated column
    /// must be `deterministic`, and its results must never change. See
    /// <doc:FunctionsAndCollations>.
    ///
    /// - Parameters:
    ///   - name: The function's name in SQL. A function with the same name and number of arguments
    ///     is replaced.
    ///   - argumentCount: The number of arguments, or nil for any number.
    ///   - flags: `deterministic` and `innocuous` by default.
    ///   - body: Called on the thread that steps the statement. An error that it throws becomes the
    ///     error of the statement. Create the closure in nonisolated code: one that is created in
    ///     `@MainActor` code traps on any other thread.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a name that begins with `sqlcore_`, the prefix of the library's own
    ///   functions.
    public func registerFunction(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous],
        _ body: @escaping (SQLFunctionCall) throws -> SQLValue
    ) throws {
        try registerRawFunction(
            name, argumentCount: argumentCount, flags: flags, state: FunctionBox(body),
            callFunction)
    }

    /// Registers an SQL function whose arguments and result are Swift types.
    /// `sqlite3_create_function_v2`
    ///
    /// An argument of another type makes the statement fail with `.mismatch`; an optional argument
    /// accepts `NULL`. The number of arguments is that of the closure; register the name again with
    /// another number to overload it. A call costs about 600 machine instructions more than that of
    /// a raw function; a function that takes a ``SQLFunctionCall`` costs about 130 more.
    ///
    /// ```swift
    /// try database.registerFunction("distance") {
    ///     (x: Double, y: Double, unit: String?) -> Double in
    ///     let length = (x * x + y * y).squareRoot()
    ///     return unit == "km" ? length / 1000 : length
    /// }
    /// let length = try database.selectValue(sql: "SELECT distance(3000, 4000, 'km')")
    /// ```
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - flags: `deterministic` and `innocuous` by default.
    ///   - body: Computes the result; an error that it throws becomes the error of the statement.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a reserved name.
    @inlinable
    public func registerFunction<each Argument: SQLValueConvertible, Result: SQLValueConvertible>(
        _ name: String, flags: SQLFunctionFlags = [.deterministic, .innocuous],
        _ body: @escaping (repeat each Argument) throws -> Result
    ) throws {
        var count = 0
        for _ in repeat (each Argument).self { count += 1 }
        try registerFunction(name, argumentCount: count, flags: flags) { call in
            var index = -1
            func next<Value: SQLValueConvertible>(_ type: Value.Type) throws -> Value {
                index += 1
                return try call.value(at: index, as: type)
            }
            return try body(repeat try next((each Argument).self)).sqlValue
        }
    }

    /// Registers an SQL function with the signature of SQLite's C interface. A call has no overhead
    /// over C. `sqlite3_create_function_v2`
    ///
    /// ```swift
    /// try database.registerRawFunction("bits", argumentCount: 1) { context, count, arguments in
    ///     let call = SQLRawCall(context, count, arguments)
    ///     call.setResult(Int64(call.int64(at: 0).nonzeroBitCount))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - state: An object for `SQLRawCall.withState`; released with the function.
    ///   - body: See `SQLRawFunction`.
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: The number of arguments, or nil for any number.
    ///   - flags: `deterministic` and `innocuous` by default.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a reserved name.
    public func registerRawFunction(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous], state: AnyObject? = nil,
        _ body: @escaping SQLRawFunction
    ) throws {
        try requireFunctionName(name)
        try addFunction(
            name, argumentCount: argumentCount, flags: flags, state: state, body)
    }

    /// Registers a function under any name, including the library's reserved ones.
    func addFunction(
        _ name: String, argumentCount: Int?, flags: SQLFunctionFlags, state: AnyObject?,
        _ body: @escaping SQLRawFunction
    ) throws {
        let handle = try connection.requireHandle()
        // SQLite releases the state through the last argument even if registering fails.
        let code = sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount ?? -1), SQLITE_UTF8 | flags.rawValue,
            state.map { Unmanaged.passRetained($0).toOpaque() }, body, nil, nil, releaseObject)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }

    /// Removes a function or an aggregate, including SQLite's built-in ones.
    /// `sqlite3_create_function_v2`
    ///
    /// Does nothing if there is no such function. Throws `.busy` while a statement runs, and
    /// `.misuse` for a name that begins with `sqlcore_`.
    ///
    /// Statements that use the function fail when they are compiled again. A built-in function can
    /// be removed from a connection that runs SQL of others:
    ///
    /// ```swift
    /// try database.removeFunction("randomblob", argumentCount: 1)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: The number of arguments with which it was registered; nil for any number.
    public func removeFunction(_ name: String, argumentCount: Int? = nil) throws {
        try requireFunctionName(name)
        let handle = try connection.requireHandle()
        let code = sqlite3_create_function_v2(
            handle, name, Int32(clamping: argumentCount ?? -1), SQLITE_UTF8, nil, nil, nil, nil,
            nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}

private func callFunction(
    _ context: OpaquePointer?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    let call = SQLRawCall(context, count, arguments)
    call.withState(FunctionBox.self) { box in
        do {
            call.setResult(try box.body(SQLFunctionCall(call)))
        } catch {
            call.setError(error)
        }
    }
}
