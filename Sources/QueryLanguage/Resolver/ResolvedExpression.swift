internal import StoreFormat

/// An expression whose names are resolved.
package final class ResolvedExpression {
    package let form: BoundExpression<ResolvedExpression>

    init(_ form: BoundExpression<ResolvedExpression>) {
        self.form = form
    }

    /// The name of an aggregate function in it, window functions excluded; nil if there is none.
    var aggregate: QueryFunction? {
        if case .call(let call) = form, call.window == nil { return call.function }
        return form.parts.lazy.compactMap(\.aggregate).first
    }

    /// A function with `OVER` in it; nil if there is none.
    var windowFunction: QueryFunction? {
        if case .call(let call) = form, call.window != nil { return call.function }
        return form.parts.lazy.compactMap(\.windowFunction).first
    }
}

/// A statement whose names are resolved.
package struct ResolvedQuery {
    package let query: BoundQuery<ResolvedExpression>
    /// The parameters that it uses.
    package let parameters: Set<String>
    /// The collections that it reads.
    package let tables: [QueryTable]
}
