extension QueryFunction {
    /// All functions, grouped by family as docs/query.md lists them.
    package static let families: [(name: String, functions: [QueryFunction])] = [
        ("aggregates", aggregates), ("windows", windows), ("numbers", numbers),
        ("strings", strings), ("patterns", patterns), ("arrays", arrays), ("objects", objects),
        ("conditions", conditions), ("types", types), ("dates", dates), ("vectors", vectors),
    ]

    /// All functions.
    package static let all = families.flatMap(\.functions)

    /// Expressions that look like calls but take something other than expressions in parentheses:
    /// an index name, a path, a property name.
    package static let specialForms = ["blob", "match", "meta", "prediction", "rank"]

    /// The maximum number of arguments that SQLite passes to a function.
    static let most = 127

    private static let aggregates: [QueryFunction] = [
        .init("array_agg", 1...1, keepsTypes: true, kind: .aggregate),
        .init("avg", 1...1, .plain, kind: .aggregate, by: .sqlite),
        .init("count", 1...1, .plain, kind: .aggregate, by: .sqlite),
        .init("max", 1...1, keepsTypes: true, kind: .aggregate, by: .sqlite),
        .init("min", 1...1, keepsTypes: true, kind: .aggregate, by: .sqlite),
        .init("sum", 1...1, .plain, kind: .aggregate, by: .sqlite),
    ]

    private static let windows: [QueryFunction] = [
        .init("cume_dist", 0...0, .plain, kind: .window, by: .sqlite),
        .init("dense_rank", 0...0, .plain, kind: .window, by: .sqlite),
        .init("first_value", 1...1, kind: .window, by: .sqlite),
        .init("lag", 1...3, kind: .window, by: .sqlite),
        .init("last_value", 1...1, kind: .window, by: .sqlite),
        .init("lead", 1...3, kind: .window, by: .sqlite),
        .init("nth_value", 2...2, kind: .window, by: .sqlite),
        .init("ntile", 1...1, .plain, kind: .window, by: .sqlite),
        .init("percent_rank", 0...0, .plain, kind: .window, by: .sqlite),
        .init("rank", 0...0, .plain, kind: .window, by: .sqlite),
        .init("row_number", 0...0, .plain, kind: .window, by: .sqlite),
    ]

    private static let conditions: [QueryFunction] = [
        .init("greatest", 2...most, sql: "max", by: .sqlite),
        .init("ifinf", 2...most),
        .init("ifmissing", 2...most, sql: "coalesce", by: .sqlite),
        .init("ifmissingornull", 2...most),
        .init("ifnan", 2...most),
        .init("ifnanorinf", 2...most),
        .init("ifnull", 2...most, sql: "N1QL_ifnull"),
        .init("least", 2...most, sql: "min", by: .sqlite),
        .init("missingif", 2...2),
        .init("nanif", 2...2),
        .init("neginfif", 2...2),
        .init("nullif", 2...2, sql: "N1QL_nullif"),
        .init("posinfif", 2...2),
    ]

    private static let arrays: [QueryFunction] = [
        .init("array_append", 2...most),
        .init("array_avg", 1...1, .plain),
        .init("array_concat", 2...most),
        .init("array_contains", 2...2, .boolean),
        .init("array_count", 1...1, .plain, untyped: 1),
        .init("array_distinct", 1...1),
        .init("array_flatten", 2...2),
        .init("array_ifnull", 1...1),
        .init("array_insert", 3...most),
        .init("array_intersect", 2...most),
        .init("array_length", 1...1, .plain, untyped: 1),
        .init("array_max", 1...1),
        .init("array_min", 1...1),
        .init("array_position", 2...2, .plain),
        .init("array_prepend", 2...most),
        .init("array_put", 2...most),
        .init("array_range", 2...3),
        .init("array_remove", 2...most),
        .init("array_repeat", 2...2),
        .init("array_replace", 3...4),
        .init("array_reverse", 1...1),
        .init("array_sort", 1...1),
        .init("array_star", 1...1),
        .init("array_sum", 1...1, .plain),
        .init("array_symdiff", 2...most),
    ]

    private static let objects: [QueryFunction] = [
        .init("object_add", 3...3),
        .init("object_concat", 2...most),
        .init("object_length", 1...1, .plain, untyped: 1),
        .init("object_names", 1...1, untyped: 1),
        .init("object_pairs", 1...1),
        .init("object_put", 3...3),
        .init("object_remove", 2...most),
        .init("object_rename", 3...3),
        .init("object_replace", 3...3),
        .init("object_values", 1...1),
    ]

    private static let types: [QueryFunction] = [
        .init("decode_json", 1...1, untyped: 1),
        .init("encode_json", 1...1, .plain),
        .init("isarray", 1...1, .boolean, untyped: 1, aliases: ["is_array"]),
        .init("isatom", 1...1, .boolean, untyped: 1, aliases: ["is_atom"]),
        .init("isboolean", 1...1, .boolean, aliases: ["is_boolean", "is_bool"]),
        .init("isnumber", 1...1, .boolean, aliases: ["is_number", "is_num"]),
        .init("isobject", 1...1, .boolean, untyped: 1, aliases: ["is_object", "is_obj"]),
        .init("isstring", 1...1, .boolean, untyped: 1, aliases: ["is_string", "is_str"]),
        .init("isvalued", 1...1, .boolean, untyped: 1, aliases: ["is_valued"]),
        .init("toarray", 1...1, aliases: ["to_array"]),
        .init("toatom", 1...1, aliases: ["to_atom"]),
        .init("toboolean", 1...1, .boolean, aliases: ["to_boolean", "to_bool"]),
        .init("tonumber", 1...1, aliases: ["to_number", "to_num"]),
        .init("toobject", 1...1, aliases: ["to_object", "to_obj"]),
        .init("tostring", 1...1, .plain, aliases: ["to_string", "to_str"]),
        .init("type", 1...1, .plain, aliases: ["typename", "type_name"]),
    ]

    private static let vectors: [QueryFunction] = [
        .init("approx_vector_distance", 2...5, by: .translator),
        .init("cosine_distance", 2...2, .plain),
        .init("euclidean_distance", 2...3, .plain),
    ]
}
