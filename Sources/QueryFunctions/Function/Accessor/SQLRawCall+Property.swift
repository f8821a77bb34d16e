internal import FleeceLite
internal import SQLCore

extension SQLRawCall {
    /// The root of the body that an argument is; nil for what is no body.
    @inline(__always)
    func root(at index: Int, _ functions: FunctionContext) -> UnsafeFleeceValue? {
        guard type(at: index) == .blob else { return nil }
        return functions.root(ofBody: blob(at: index))
    }

    /// Calls `body` with what the path in argument 1 leads to from a root; with nil if that is
    /// nothing. The path `NULL` leads to the root. The call fails if the path is invalid.
    @inline(__always)
    func withProperty(
        of root: UnsafeFleeceValue?, _ functions: FunctionContext,
        _ body: (UnsafeFleeceValue?) -> Void
    ) {
        do {
            // An invalid path is an error in rows without a body, too.
            let path = try functions.paths.path(text(at: 1))
            body(path._withUnsafeGuaranteedRef { path in root.flatMap { path.value(from: $0) } })
        } catch {
            setPathError(error)
        }
    }

    /// The same for the body in argument 0. That it is none is noted.
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

    /// Notes that argument 0 is no dictionary; without a path any value may stand there.
    @inline(never)
    private func noteUnreadableBody(_ functions: FunctionContext) {
        if !text(at: 1).isEmpty { noteBody(functions) }
    }

    /// Notes that argument 0 is no body, unless it is that of a document without one.
    @inline(never)
    func noteBody(_ functions: FunctionContext) {
        if type(at: 0) != .null { functions.noteUnreadableBody(blob(at: 0)) }
    }
}
