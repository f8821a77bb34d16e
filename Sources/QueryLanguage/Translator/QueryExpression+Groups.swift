internal import FleeceLite

extension QueryExpression {
    /// The kind of an expression, as far as it can be determined quickly.
    enum Kind: Hashable {
        case value, property, meta, operation(QueryOperator), function(String), query, other
    }

    /// The kind of the expression; for a name, the kind of its expression.
    func kind(in scope: QueryScope) throws -> Kind {
        switch self {
        case .literal, .parameter, .array, .dictionary: return .value
        case .property(let path):
            guard case .name(let owner, let number, let rest) = try scope.resolution(of: path),
                rest.components.isEmpty
            else { return .property }
            return try scope.translation.withName {
                try owner.withExpression(ofName: number) { try $0.kind(in: owner) }
            }
        case .meta: return .meta
        case .operation(let known, _): return .operation(known)
        case .function(let name, _): return .function(name)
        case .subquery: return .query
        case .collate(_, let value): return try value.kind(in: scope)
        default: return .other
        }
    }

    /// Whether it contains an aggregate function that depends on the outer queries only.
    func hasForeignAggregate(_ scope: QueryScope) throws -> Bool {
        switch self {
        case .property(let path):
            guard case .name(let owner, let number, _) = try scope.resolution(of: path),
                owner === scope
            else { return false }
            return try scope.translation.withName {
                try owner.withExpression(ofName: number) { try $0.hasForeignAggregate(scope) }
            }
        case .function(let name, let arguments) where isAggregate:
            return try QueryExpression.call(QueryCall(function: name, arguments: arguments))
                .hasForeignAggregate(scope)
        case .call(let call) where call.window == nil:
            return try QueryExpression.areForeign(
                call.isOfRows(scope) ? call.filter.map { [$0] } ?? [] : call.expressions, scope)
        default: return try children.contains { try $0.hasForeignAggregate(scope) }
        }
    }

    /// Whether some expressions depend on an outer query, and none on this query's sources.
    private static func areForeign(
        _ expressions: [QueryExpression], _ scope: QueryScope
    ) throws -> Bool {
        var found = Found()
        for expression in expressions { try expression.look(&found, scope) }
        return found.isForeign && !found.isOwn
    }

    private struct Found {
        var isOwn = false
        var isForeign = false

        mutating func note(_ source: ScopeSource, _ scope: QueryScope) {
            if scope.sources.contains(where: { $0.sql == source.sql }) {
                isOwn = true
            } else {
                isForeign = true
            }
        }
    }

    private func look(_ found: inout Found, _ scope: QueryScope) throws {
        switch self {
        case .property(let path):
            switch try scope.resolution(of: path) {
            case .source(let source, _): found.note(source, scope)
            case .name(let owner, let number, _):
                try scope.translation.withName {
                    try owner.withExpression(ofName: number) { try $0.look(&found, owner, scope) }
                }
            }
        case .meta(_, let name):
            let source = name.flatMap { scope.source(called: $0) }
            if let source { found.note(source, scope) } else { found.isOwn = true }
        // Their dependencies are known when they are written.
        case .variable, .subquery, .match, .rank, .blob: found.isForeign = true
        default: for child in children { try child.look(&found, scope) }
        }
    }

    private func look(
        _ found: inout Found, _ owner: QueryScope, _ scope: QueryScope
    ) throws {
        owner === scope ? try look(&found, scope) : (found.isForeign = true)
    }

    /// Whether it contains an aggregate function that collects values in row order.
    var collects: Bool {
        switch self {
        case .function("array_agg", _): true
        case .call(let call) where call.function == "array_agg": true
        default: children.contains { $0.collects }
        }
    }
}
