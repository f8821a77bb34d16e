public import CSQLite

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
