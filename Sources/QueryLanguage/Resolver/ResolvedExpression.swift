internal import StoreFormat

/// An expression whose names are resolved.
package final class ResolvedExpression {
    package let form: BoundExpression<ResolvedExpression>
    /// The name of an aggregate function in it, window functions excluded; nil if there is none.
    let aggregate: String?
    /// The name of a function with `OVER` in it; nil if there is none.
    let windowFunction: String?

    init(_ form: BoundExpression<ResolvedExpression>) {
        self.form = form
        var (aggregate, windowFunction): (String?, String?) = (nil, nil)
        if case .call(let call) = form {
            if call.window == nil {
                aggregate = call.function.name
            } else {
                windowFunction = call.function.name
            }
        }
        for part in form.parts {
            if aggregate == nil { aggregate = part.aggregate }
            if windowFunction == nil { windowFunction = part.windowFunction }
        }
        (self.aggregate, self.windowFunction) = (aggregate, windowFunction)
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
