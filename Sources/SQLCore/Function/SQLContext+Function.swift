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
    /// - Parameters:
    ///   - name: as SQL calls it; a function of the same name and count is replaced.
    ///   - argumentCount: how many arguments it takes, nil for any number.
    ///   - flags: `deterministic` and `innocuous` unless said otherwise.
    ///   - body: called on the thread that steps the statement; what it throws becomes the
    ///     statement's error.
    public func registerFunction(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous],
        _ body: @escaping (SQLFunctionCall) throws -> SQLValue
    ) throws {
        let handle = try connection.requireHandle()
        let box = Unmanaged.passRetained(FunctionBox(body))
        // SQLite releases the box through the last argument even if registering fails.
        let code = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount ?? -1), SQLITE_UTF8 | flags.rawValue,
            box.toOpaque(), callFunction, nil, nil,
            { pointer in
                if let pointer { Unmanaged<FunctionBox>.fromOpaque(pointer).release() }
            })
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}

private func callFunction(
    _ context: OpaquePointer?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let context, let pointer = sqlite3_user_data(context) else { return }
    let call = SQLFunctionCall(
        context: context,
        arguments: UnsafeBufferPointer(start: arguments, count: Int(count)))
    Unmanaged<FunctionBox>.fromOpaque(pointer)._withUnsafeGuaranteedRef { box in
        do {
            call.setResult(try box.body(call))
        } catch {
            call.setError(String(describing: error))
        }
    }
}
