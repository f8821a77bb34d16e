internal import StoreFormat

extension QueryExpression {
    /// The type of its values; any expression can also be null or missing.
    var resultType: QueryResultType {
        switch self {
        case .literal(.integer), .literal(.real): .plain
        case .meta(let property, _): property == .deleted ? .boolean : property.resultType
        case .operation(let known, _): known.resultType
        case .function(let name, _): QueryFunction(named: name)?.result ?? .any
        case .call(let call): QueryFunction(named: call.function)?.result ?? .any
        case .quantified, .match: .boolean
        case .rank: .plain
        case .collate(_, let value): value.resultType
        default: .any
        }
    }
}

extension MetaProperty {
    fileprivate var resultType: QueryResultType { self == .all ? .any : .plain }
}

extension QueryOperator {
    fileprivate var resultType: QueryResultType {
        switch self {
        case .concatenate, .multiply, .divide, .modulo, .add, .subtract: .plain
        default: .boolean
        }
    }
}
