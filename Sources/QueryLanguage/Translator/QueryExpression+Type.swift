/// What kind of values an expression gives, as far as that can be told without running it.
enum QueryResultType {
    /// Numbers and texts come out of SQL as what they are.
    case plain
    /// A number of SQL's that is a truth.
    case boolean
    /// Anything: the value itself has to say what it is.
    case any
}

extension QueryExpression {
    /// What kind of values it gives; a null or nothing can come instead of any.
    var resultType: QueryResultType {
        switch self {
        case .literal(.integer), .literal(.real): .plain
        case .meta(let property, _): property == .deleted ? .boolean : property.resultType
        case .operation(let known, _): known.resultType
        case .function(let name, _): QueryFunction(named: name)?.resultType ?? .any
        case .call(let call): QueryFunction(named: call.function)?.resultType ?? .any
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

extension QueryFunction {
    /// What kind of values it gives.
    var resultType: QueryResultType {
        if Self.truths.contains(name) { return .boolean }
        return Self.plain.contains(name) ? .plain : .any
    }

    private static let truths: Set = [
        "array_contains", "contains", "isarray", "isatom", "isboolean", "isnumber", "isobject",
        "isstring", "isvalued", "regexp_contains", "regexp_like", "toboolean",
    ]

    /// Those that give numbers and texts only.
    private static let plain: Set = [
        "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "degrees", "div", "e", "exp",
        "floor", "idiv", "ln", "log", "pi", "power", "radians", "round", "round_even", "sign",
        "sin", "sqrt", "tan", "trunc", "random",
        "array_avg", "array_count", "array_length", "array_sum", "array_position",
        "object_length", "avg", "count", "sum",
        "concat", "initcap", "length", "lower", "ltrim", "position", "repeat", "replace",
        "reverse", "rtrim", "substr", "title", "trim", "upper", "regexp_position",
        "base64_encode", "encode_json", "tostring", "type",
        "clock_millis", "clock_local", "clock_str", "clock_tz", "clock_utc", "date_add_millis",
        "date_add_str", "date_diff_millis", "date_diff_str", "date_format_str",
        "date_part_millis", "date_part_str", "date_trunc_millis", "date_trunc_str",
        "millis_to_str", "millis_to_tz", "millis_to_utc", "now_local", "now_millis", "now_str",
        "now_tz", "now_utc", "str_to_millis", "str_to_tz", "str_to_utc", "weekday_millis",
        "weekday_str", "cosine_distance", "euclidean_distance",
        "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile",
    ]
}
