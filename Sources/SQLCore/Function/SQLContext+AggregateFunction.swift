import CSQLite

/// Creates the states of an aggregate's groups.
private final class AggregateBox {
    let make: () -> SQLGroup

    init(_ make: @escaping () -> SQLGroup) {
        self.make = make
    }
}

/// An aggregate that consists of two closures.
private struct ClosureAggregate<State>: SQLAggregate {
    var state: State
    let add: (inout State, SQLFunctionCall) throws -> Void
    let result: (State) throws -> SQLValue

    mutating func step(_ call: SQLFunctionCall) throws { try add(&state, call) }
    mutating func finish() throws -> SQLValue { try result(state) }
}

extension SQLContext {
    /// Registers an aggregate function. `sqlite3_create_function_v2`
    ///
    /// ```swift
    /// struct Range: SQLAggregate {
    ///     var least = Double.infinity
    ///     var most = -Double.infinity
    ///     mutating func step(_ call: SQLFunctionCall) throws {
    ///         let number = try call.value(at: 0, as: Double.self)
    ///         (least, most) = (min(least, number), max(most, number))
    ///     }
    ///     func finish() -> SQLValue { least > most ? .null : .real(most - least) }
    /// }
    /// try database.registerAggregate("value_range", argumentCount: 1) { Range() }
    /// ```
    ///
    /// - Parameter make: Creates the state of a group. It is called at the group's first row, or at
    ///   the end of a group without rows. The state is released with the group, even if the
    ///   statement is abandoned before its end.
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: The number of arguments, or nil for any number.
    ///   - flags: `deterministic` and `innocuous` by default.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a reserved name.
    public func registerAggregate<Aggregate: SQLAggregate>(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous],
        _ make: @escaping () -> Aggregate
    ) throws {
        try registerRawAggregate(
            name, argumentCount: argumentCount, flags: flags,
            state: AggregateBox { SQLTypedGroup(make()) }, step: stepGroup, finish: finishGroup)
    }

    /// Registers an aggregate that consists of two closures and a state, which starts as `initial`.
    /// `sqlite3_create_function_v2`
    ///
    /// ```swift
    /// try database.registerAggregate("product", argumentCount: 1, initial: 1.0) {
    ///     $0 *= try $1.value(at: 0, as: Double.self)
    /// } finish: {
    ///     .real($0)
    /// }
    /// let total = try database.selectValue(sql: "SELECT product(rate) FROM interest")
    /// ```
    /// For one that is also a window function, use
    /// ``registerWindowAggregate(_:argumentCount:flags:_:)``.
    ///
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: The number of arguments, or nil for any number.
    ///   - flags: `deterministic` and `innocuous` by default.
    ///   - initial: The state of a group before its first row.
    ///   - step: Adds one row to the state. An error becomes the error of the statement.
    ///   - finish: Returns the result of the group, also for a group without rows.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a reserved name.
    public func registerAggregate<State>(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous], initial: State,
        step: @escaping (inout State, SQLFunctionCall) throws -> Void,
        finish: @escaping (State) throws -> SQLValue
    ) throws {
        try registerAggregate(name, argumentCount: argumentCount, flags: flags) {
            ClosureAggregate(state: initial, add: step, result: finish)
        }
    }

    /// Registers an aggregate that can also be used as a window function (`OVER`).
    /// `sqlite3_create_window_function`
    ///
    /// ```swift
    /// struct Sum: SQLWindowAggregate {
    ///     var sum: Int64 = 0
    ///     mutating func step(_ call: SQLFunctionCall) { sum += call.value(at: 0).longValue ?? 0 }
    ///     mutating func inverse(_ call: SQLFunctionCall) {
    ///         sum -= call.value(at: 0).longValue ?? 0
    ///     }
    ///     func value() -> SQLValue { .long(sum) }
    ///     func finish() -> SQLValue { .long(sum) }
    /// }
    /// try database.registerWindowAggregate("int_sum", argumentCount: 1) { Sum() }
    /// let running = try database.selectAll(
    ///     sql: "SELECT int_sum(people) OVER (ORDER BY name ROWS 2 PRECEDING) FROM city")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: The number of arguments, or nil for any number.
    ///   - flags: `deterministic` and `innocuous` by default.
    ///   - make: Creates the state of a group or a window.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a reserved name.
    public func registerWindowAggregate<Aggregate: SQLWindowAggregate>(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous],
        _ make: @escaping () -> Aggregate
    ) throws {
        try registerRawAggregate(
            name, argumentCount: argumentCount, flags: flags,
            state: AggregateBox { SQLWindowGroup(make()) }, step: stepGroup, finish: finishGroup,
            value: windowValue, inverse: inverseGroup)
    }

    /// Registers an aggregate with the signatures of SQLite's C interface, whose state is in
    /// ``SQLRawCall/groupState(_:)``. `sqlite3_create_window_function`
    ///
    /// ```swift
    /// try database.registerRawAggregate("xor", argumentCount: 1) { context, count, arguments in
    ///     let call = SQLRawCall(context, count, arguments)
    ///     call.groupState(Int64.self)?.pointee ^= call.int64(at: 0)
    /// } finish: { context in
    ///     let call = SQLRawCall(context)
    ///     call.setResult(call.existingGroupState(Int64.self)?.pointee ?? 0)
    /// }
    /// ```
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: The number of arguments, or nil for any number.
    ///   - flags: `deterministic` and `innocuous` by default.
    ///   - state: An object for ``SQLRawCall/withState(_:_:)``; released with the function.
    ///   - step: Adds one row to the group.
    ///   - finish: Sets the result of the group.
    ///   - value: Sets the result of the rows so far. With `value` and `inverse` the aggregate can
    ///     be used with `OVER`.
    ///   - inverse: Removes the oldest row from the window.
    /// - Throws: ``SQLError``: `.busy` if it would replace a function while a statement runs,
    ///   `.misuse` for a reserved name or if only one of `value` and `inverse` is given.
    public func registerRawAggregate(
        _ name: String, argumentCount: Int? = nil,
        flags: SQLFunctionFlags = [.deterministic, .innocuous], state: AnyObject? = nil,
        step: @escaping SQLRawFunction, finish: @escaping SQLRawFinish,
        value: SQLRawFinish? = nil, inverse: SQLRawFunction? = nil
    ) throws {
        try requireFunctionName(name)
        let handle = try connection.requireHandle()
        // SQLite releases the state through the last argument even if registering fails.
        let code = sqlite3_create_window_function(
            handle, name, Int32(clamping: argumentCount ?? -1), SQLITE_UTF8 | flags.rawValue,
            state.map { Unmanaged.passRetained($0).toOpaque() }, step, finish, value, inverse,
            releaseObject)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}

/// SQLite's memory for a group, which holds a retained reference to the Swift state.
private typealias Slot = Unmanaged<SQLGroup>?

private func stepGroup(
    _ context: OpaquePointer?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    let call = SQLRawCall(context, count, arguments)
    guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<Slot>.size)) else {
        return sqlite3_result_error_nomem(context)
    }
    let slot = memory.assumingMemoryBound(to: Slot.self)
    if slot.pointee == nil {
        slot.pointee = call.withState(AggregateBox.self) { Unmanaged.passRetained($0.make()) }
    }
    slot.pointee?._withUnsafeGuaranteedRef { group in
        do { try group.step(SQLFunctionCall(call)) } catch { call.setError(error) }
    }
}

private func inverseGroup(
    _ context: OpaquePointer?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    let call = SQLRawCall(context, count, arguments)
    existingGroup(context)?.pointee?._withUnsafeGuaranteedRef { group in
        do { try group.inverse(SQLFunctionCall(call)) } catch { call.setError(error) }
    }
}

private func windowValue(_ context: OpaquePointer?) {
    give(context, group: existingGroup(context)?.pointee?.takeUnretainedValue()) {
        try $0.value()
    }
}

private func finishGroup(_ context: OpaquePointer?) {
    let slot = existingGroup(context)
    let group = slot?.pointee?.takeRetainedValue()
    slot?.pointee = nil
    give(context, group: group) { try $0.finish() }
}

/// The slot of the group, nil if it had no row: a request for 0 bytes allocates nothing.
private func existingGroup(_ context: OpaquePointer?) -> UnsafeMutablePointer<Slot>? {
    sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: Slot.self)
}

/// Sets the result of a group, or of a new one if it had no row.
private func give(
    _ context: OpaquePointer?, group: SQLGroup?, _ result: (SQLGroup) throws -> SQLValue
) {
    let call = SQLRawCall(context)
    guard let group = group ?? call.withState(AggregateBox.self, { $0.make() }) else { return }
    do { call.setResult(try result(group)) } catch { call.setError(error) }
}
