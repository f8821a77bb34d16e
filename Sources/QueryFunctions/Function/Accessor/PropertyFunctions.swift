internal import FleeceLite
internal import SQLCore

/// The functions that read a body, with LiteCore's names, arguments and results.
enum PropertyFunctions {
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawFunction("fl_root", argumentCount: 1, state: functions) {
            SQLRawCall($0, $1, $2).giveRoot()
        }
        try context.registerRawFunction("fl_value", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).giveProperty()
        }
        // The same function under another name, which matches no index expression.
        try context.registerRawFunction("fl_unindexed_value", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).giveProperty()
        }
        // `fl_result(fl_value(body, path))` in one call, without an intermediate copy.
        try context.registerRawFunction("fl_result_value", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).givePropertyAsResult()
        }
        try context.registerRawFunction(
            "fl_nested_value", argumentCount: 2, flags: [.deterministic, .innocuous, .subtype],
            state: functions
        ) { SQLRawCall($0, $1, $2).giveNestedProperty() }
        try context.registerRawFunction("fl_unnested_value", state: functions) {
            SQLRawCall($0, $1, $2).giveUnnested()
        }
        try context.registerRawFunction("fl_fts_value", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).giveText()
        }
        try context.registerRawFunction("fl_exists", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).giveExistence()
        }
        try context.registerRawFunction("fl_count", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).giveCount()
        }
        try context.registerRawFunction("fl_blob", argumentCount: 2, state: functions) {
            SQLRawCall($0, $1, $2).giveBlob()
        }
    }
}

extension SQLRawCall {
    /// `fl_root(body)`: the whole document.
    fileprivate func giveRoot() {
        withState(FunctionContext.self) { functions in
            guard let root = root(at: 0, functions) else {
                noteBody(functions)
                return setNull()
            }
            setValue(root, functions)
        }
    }

    /// `fl_value(body, path)`: a property.
    fileprivate func giveProperty() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { value in
                guard let value else { return setNull() }
                setValue(value, functions)
            }
        }
    }

    /// `fl_result_value(body, path)`: a property in the form of results.
    fileprivate func givePropertyAsResult() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { value in
                guard let value else { return setNull() }
                switch value.content {
                case .bool(let bool): setFleece(bool)
                case .unsigned(let number) where number > UInt64(Int64.max):
                    setDocument(of: value, functions)
                default: setValue(value, functions)
                }
            }
        }
    }

    /// `fl_nested_value(value, path)`: a property of a computed value.
    fileprivate func giveNestedProperty() {
        withState(FunctionContext.self) { functions in
            var root: UnsafeFleeceValue?
            if case .collection(let value) = value(at: 0, functions) { root = value }
            withProperty(of: root, functions) { value in
                guard let value else { return setNull() }
                setValue(value, functions)
            }
        }
    }

    /// `fl_unnested_value(body[, path])`: an element in the table of an array index, or a property
    /// of it.
    fileprivate func giveUnnested() {
        switch (count, type(at: 0, orNull: count == 0)) {
        case (1, .blob): blob(at: 0).isEmpty ? setJSONNull() : giveRoot()
        case (1, _): pass(argumentAt: 0)
        case (2, _): giveUnnestedProperty()
        default: setError("wrong number of arguments to function fl_unnested_value()")
        }
    }

    /// An element need not be a dictionary.
    private func giveUnnestedProperty() {
        withState(FunctionContext.self) { functions in
            withProperty(of: root(at: 0, functions), functions) { value in
                guard let value else { return setNull() }
                setValue(value, functions)
            }
        }
    }

    private func type(at index: Int, orNull isNull: Bool) -> SQLRawType {
        isNull ? .null : type(at: index)
    }

    /// `fl_fts_value(body, path)`: the scalars in a property as a string.
    fileprivate func giveText() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { value in
                guard let value else { return setNull() }
                if let text = value.utf8 { return setText(text) }
                functions.scalarText.withText(of: value) { setText($0) }
            }
        }
    }

    /// `fl_exists(body, path)`: whether a property exists, including null.
    fileprivate func giveExistence() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { setBoolean($0 != nil) }
        }
    }

    /// `fl_count(body, path)`: the number of non-null elements of an array, or of entries of a
    /// dictionary.
    fileprivate func giveCount() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { value in
                let count = value.flatMap { functions.count(of: $0) }
                count.map { setResult(Int64($0)) } ?? setNull()
            }
        }
    }

    /// `fl_blob(body, path)`: the content of the blob that a property refers to.
    fileprivate func giveBlob() {
        withState(FunctionContext.self) { functions in
            withProperty(functions) { value in
                guard let digest = value?["digest"]?.string,
                    let contents = functions.readBlob?(digest)
                else { return setNull() }
                contents.withUnsafeBytes { setData($0) }
            }
        }
    }
}

extension FunctionContext {
    /// The number of non-null elements of an array, or of entries of a dictionary.
    fileprivate func count(of value: UnsafeFleeceValue) -> Int? {
        guard let items = UnsafeFleeceItems(value) else { return nil }
        if !items.isDictionary { return items.valuedCount }
        guard items.inheritsFromParent else { return items.count }
        return withFlat(value) { $0.count }
    }

    /// Lends the items of a dictionary, in a copy without a parent dictionary; nil if it cannot be
    /// read.
    func withFlat<T>(_ value: UnsafeFleeceValue, _ body: (UnsafeFleeceItems) -> T) -> T? {
        withDocument(of: .collection(value)) { bytes in
            root(of: bytes).flatMap { UnsafeFleeceItems($0) }.map(body)
        }.flatMap { $0 }
    }
}

extension SQLRawCall {
    /// The root of an argument that is a body; nil if it is not a body.
    @inline(__always)
    func root(at index: Int, _ functions: FunctionContext) -> UnsafeFleeceValue? {
        guard type(at: index) == .blob else { return nil }
        return functions.root(ofBody: blob(at: index))
    }

    /// Calls `body` with the value at the path in argument 1; with nil if it does not exist. A
    /// `NULL` path is the root. The call fails if the path is invalid.
    @inline(__always)
    func withProperty(
        of root: UnsafeFleeceValue?, _ functions: FunctionContext,
        _ body: (UnsafeFleeceValue?) -> Void
    ) {
        do {
            // An invalid path is an error even in rows without a body.
            let path = try functions.paths.path(text(at: 1))
            body(path._withUnsafeGuaranteedRef { path in root.flatMap { path.value(from: $0) } })
        } catch {
            setPathError(error)
        }
    }

    /// Calls `body` with the value in the body in argument 0; an unreadable body is recorded.
    @inline(__always)
    func withProperty(
        _ functions: FunctionContext, _ body: (UnsafeFleeceValue?) -> Void
    ) {
        let root = root(at: 0, functions)
        withProperty(of: root, functions) { value in
            if value == nil, root?.dictionary == nil { noteUnreadableBody(functions) }
            body(value)
        }
    }

    /// Records that argument 0 is not a dictionary; without a path any value is allowed.
    @inline(never)
    private func noteUnreadableBody(_ functions: FunctionContext) {
        if !text(at: 1).isEmpty { noteBody(functions) }
    }

    /// Records that argument 0 is not a body, unless the document has no body.
    @inline(never)
    func noteBody(_ functions: FunctionContext) {
        if type(at: 0) != .null { functions.noteUnreadableBody(blob(at: 0)) }
    }
}
