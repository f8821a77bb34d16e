extension QueryFunction {
    /// Every function, by family.
    package static let all: [QueryFunction] =
        aggregates + arrays + objects + unknowns + maths + texts + patterns + types + json + dates
        + distances + windows

    /// Other names of some.
    package static let aliases: [String: String] = [
        "base64": "base64_encode", "ceiling": "ceil", "instr": "position",
        "is_array": "isarray", "is_atom": "isatom", "is_boolean": "isboolean",
        "is_bool": "isboolean", "is_number": "isnumber", "is_num": "isnumber",
        "is_object": "isobject", "is_obj": "isobject", "is_string": "isstring",
        "is_str": "isstring", "is_valued": "isvalued", "pos": "position",
        "to_array": "toarray", "to_atom": "toatom", "to_boolean": "toboolean",
        "to_bool": "toboolean", "to_number": "tonumber", "to_num": "tonumber",
        "to_object": "toobject", "to_obj": "toobject", "to_string": "tostring",
        "to_str": "tostring", "typename": "type", "type_name": "type",
    ]

    /// `array_agg` is the store's own; SQLite has the others.
    private static let aggregates = ["array_agg", "avg", "count", "max", "min", "sum"].map {
        QueryFunction($0, 1...1, isAggregate: true)
    }

    private static let arrays = [
        QueryFunction("array_append", 2...most),
        QueryFunction("array_avg", 1...1),
        QueryFunction("array_concat", 2...most),
        QueryFunction("array_contains", 2...2),
        QueryFunction("array_count", 1...1),
        QueryFunction("array_distinct", 1...1),
        QueryFunction("array_flatten", 2...2),
        QueryFunction("array_ifnull", 1...1),
        QueryFunction("array_insert", 3...most),
        QueryFunction("array_intersect", 2...most),
        QueryFunction("array_length", 1...1),
        QueryFunction("array_max", 1...1),
        QueryFunction("array_min", 1...1),
        QueryFunction("array_position", 2...2),
        QueryFunction("array_prepend", 2...most),
        QueryFunction("array_put", 2...most),
        QueryFunction("array_range", 2...3),
        QueryFunction("array_remove", 2...most),
        QueryFunction("array_repeat", 2...2),
        QueryFunction("array_replace", 3...4),
        QueryFunction("array_reverse", 1...1),
        QueryFunction("array_sort", 1...1),
        QueryFunction("array_star", 1...1),
        QueryFunction("array_sum", 1...1),
        QueryFunction("array_symdiff", 2...most),
    ]

    private static let objects = [
        QueryFunction("object_add", 3...3),
        QueryFunction("object_concat", 2...most),
        QueryFunction("object_length", 1...1),
        QueryFunction("object_names", 1...1),
        QueryFunction("object_pairs", 1...1),
        QueryFunction("object_put", 3...3),
        QueryFunction("object_remove", 2...most),
        QueryFunction("object_rename", 3...3),
        QueryFunction("object_replace", 3...3),
        QueryFunction("object_values", 1...1),
    ]

    private static let unknowns = [
        // SQLite's scalar `max` and `min`.
        QueryFunction("greatest", 2...most, sql: "max"),
        QueryFunction("least", 2...most, sql: "min"),
        QueryFunction("ifinf", 2...most),
        QueryFunction("ifmissing", 2...most, sql: "coalesce"),
        QueryFunction("ifmissingornull", 2...most),
        QueryFunction("ifnan", 2...most),
        QueryFunction("ifnanorinf", 2...most),
        QueryFunction("ifnull", 2...most, sql: "N1QL_ifnull"),
        QueryFunction("missingif", 2...2),
        QueryFunction("nanif", 2...2),
        QueryFunction("neginfif", 2...2),
        QueryFunction("nullif", 2...2, sql: "N1QL_nullif"),
        QueryFunction("posinfif", 2...2),
    ]

    /// SQLite has other functions called `random`, `replace` and `substr`.
    private static let maths =
        [
            "abs", "acos", "asin", "atan", "ceil", "cos", "degrees", "exp", "floor", "ln", "log",
            "radians", "sign", "sin", "sqrt", "tan",
        ].map { QueryFunction($0, 1...1) } + [
            QueryFunction("atan2", 2...2),
            QueryFunction("div", 2...2),
            QueryFunction("e", 0...0),
            QueryFunction("idiv", 2...2),
            QueryFunction("pi", 0...0),
            QueryFunction("power", 2...2),
            QueryFunction("random", 0...1, sql: "N1QL_random"),
            QueryFunction("round", 1...2),
            QueryFunction("round_even", 1...2),
            QueryFunction("trunc", 1...2),
        ]

    private static let texts = [
        QueryFunction("base64_decode", 1...1),
        QueryFunction("base64_encode", 1...1),
        QueryFunction("concat", 1...most),
        QueryFunction("contains", 2...2),
        QueryFunction("initcap", 1...1),
        QueryFunction("length", 1...1, sql: "N1QL_length"),
        QueryFunction("lower", 1...1, sql: "N1QL_lower"),
        QueryFunction("ltrim", 1...2, sql: "N1QL_ltrim"),
        QueryFunction("position", 2...2),
        QueryFunction("repeat", 2...2),
        QueryFunction("replace", 3...4, sql: "N1QL_replace"),
        QueryFunction("reverse", 1...1),
        QueryFunction("rtrim", 1...2, sql: "N1QL_rtrim"),
        QueryFunction("split", 1...2),
        QueryFunction("substr", 2...3, sql: "N1QL_substr"),
        QueryFunction("suffixes", 1...1),
        QueryFunction("title", 1...1),
        QueryFunction("tokens", 1...2),
        QueryFunction("trim", 1...2, sql: "N1QL_trim"),
        QueryFunction("upper", 1...1, sql: "N1QL_upper"),
    ]

    private static let patterns = [
        QueryFunction("regexp_contains", 2...2),
        QueryFunction("regexp_like", 2...2),
        QueryFunction("regexp_position", 2...2),
        QueryFunction("regexp_replace", 3...4),
    ]

    private static let types = [
        "isarray", "isatom", "isboolean", "isnumber", "isobject", "isstring", "isvalued",
        "toarray", "toatom", "toboolean", "tonumber", "toobject", "tostring", "type",
    ].map { QueryFunction($0, 1...1) }

    private static let json = [
        QueryFunction("decode_json", 1...1),
        QueryFunction("encode_json", 1...1),
    ]

    private static let dates = [
        QueryFunction("clock_millis", 0...0),
        QueryFunction("clock_local", 0...1),
        QueryFunction("clock_str", 0...1),
        QueryFunction("clock_tz", 1...2),
        QueryFunction("clock_utc", 0...1),
        QueryFunction("date_add_millis", 3...3),
        QueryFunction("date_add_str", 3...4),
        QueryFunction("date_diff_millis", 3...3),
        QueryFunction("date_diff_str", 3...3),
        QueryFunction("date_format_str", 2...2),
        QueryFunction("date_part_millis", 2...3),
        QueryFunction("date_part_str", 2...2),
        QueryFunction("date_range_millis", 3...4),
        QueryFunction("date_range_str", 3...4),
        QueryFunction("date_trunc_millis", 2...3),
        QueryFunction("date_trunc_str", 2...2),
        QueryFunction("millis_to_str", 1...2),
        QueryFunction("millis_to_tz", 2...3),
        QueryFunction("millis_to_utc", 1...2),
        QueryFunction("now_local", 0...1),
        QueryFunction("now_millis", 0...0),
        QueryFunction("now_str", 0...1),
        QueryFunction("now_tz", 1...2),
        QueryFunction("now_utc", 0...1),
        QueryFunction("str_to_millis", 1...1),
        QueryFunction("str_to_tz", 2...3),
        QueryFunction("str_to_utc", 1...2),
        QueryFunction("weekday_millis", 1...2),
        QueryFunction("weekday_str", 1...1),
    ]

    /// SQLite's window functions.
    private static let windows = [
        ("row_number", 0...0), ("rank", 0...0), ("dense_rank", 0...0), ("percent_rank", 0...0),
        ("cume_dist", 0...0), ("ntile", 1...1), ("lag", 1...3), ("lead", 1...3),
        ("first_value", 1...1), ("last_value", 1...1), ("nth_value", 2...2),
    ].map { QueryFunction($0, $1, needsWindow: true) }

    /// Of vectors.
    private static let distances = [
        QueryFunction("approx_vector_distance", 2...5),
        QueryFunction("cosine_distance", 2...2),
        QueryFunction("euclidean_distance", 2...3),
    ]
}
