import CSQLite

/// Keeps a function's closure alive for as long as SQLite has it registered.
private final class FunctionBox {
    let body: (SQLFunctionCall) throws -> SQLValue

    init(_ body: @escaping (SQLFunctionCall) throws -> SQLValue) {
        self.body = body
    }
}

extension SQLContext {
    /// Registers a SQL function. `sqlite3_create_function_v2`
    ///
    /// Throws `.busy` when it would replace a function while a statement runs, and `.misuse` for a
    /// name that begins with `sqlcore_`, as the library's own do.
    /// - Parameters:
    ///   - name: as SQL calls it; a function of the same name and count is replaced.
    ///   - argumentCount: how many arguments it takes, nil for any number.
    ///   - flags: `deterministic` and `innocuous` unless said otherwise.
    ///   - body: called on the thread that steps the statement; what it throws becomes the
    ///     statement's error. Form it in nonisolated code: one that is formed in `@MainActor` code
    ///     stops the process on any other thread.
    public func registerFunction(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous],
        _ body: @escaping (SQLFunctionCall) throws -> SQLValue
    ) throws {
        try registerRawFunction(
            name, argumentCount: argumentCount, flags: flags, state: FunctionBox(body),
            callFunction)
    }

    /// Registers a SQL function of Swift types. `sqlite3_create_function_v2`
    ///
    /// An argument of another type makes the statement fail with `.mismatch`; an optional takes
    /// `NULL` too. A call costs about 600 machine instructions more than a raw one, one of the form
    /// with `SQLFunctionCall` about 130 more.
    /// ```swift
    /// try context.registerFunction("plus") { (a: Int64, b: Double) -> Double in Double(a) + b }
    /// ```
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

    /// Registers a SQL function in the shape of C: a call costs what it costs in C.
    /// `sqlite3_create_function_v2`
    ///
    /// - Parameters:
    ///   - state: an object for `SQLRawCall.withState`, released with the function.
    ///   - body: see `SQLRawFunction`.
    public func registerRawFunction(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous], state: AnyObject? = nil,
        _ body: @escaping SQLRawFunction
    ) throws {
        try requireFunctionName(name)
        try addFunction(
            name, argumentCount: argumentCount, flags: flags, state: state, body)
    }

    /// Registers a function of any name, the library's own ones too.
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

    /// Takes away a function or an aggregate, of SQLite's own ones too.
    ///
    /// Does nothing if there is none. Throws `.busy` while a statement runs, and `.misuse` for a
    /// name that begins with `sqlcore_`.
    /// `sqlite3_create_function_v2`
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
