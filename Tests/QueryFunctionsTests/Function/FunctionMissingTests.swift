import EngineTestSupport
import StoreFormat
import Testing
@testable import QueryFunctions

/// Each function with each type in the place of each argument.
@Suite("Functions of the query language, with arguments of any type")
struct FunctionMissingTests {
    private static let types = [
        "J('true')", "5", "J('18446744073709551615')", "2.5", "'ab'", "base64_decode('/w==')",
        "J('[1,\"a\"]')", "J('{\"a\":1}')",
    ]

    /// Functions with a result for missing values.
    private static let knowsMissing: Set<String> = [
        "array_avg", "array_count", "array_length", "array_sum", "N1QL_ifnull", "ifinf", "ifnan",
        "ifmissingornull", "ifnanorinf", "isvalued", "missingif", "object_add", "object_put",
        // As in LiteCore these give null, and a missing format is the standard one.
        "array_ifnull", "array_max", "array_min", "clock_local", "clock_str", "clock_tz",
        "clock_utc", "date_add_str", "date_format_str", "millis_to_str", "millis_to_tz",
        "millis_to_utc", "now_local", "now_str", "now_tz", "now_utc", "str_to_millis",
        "str_to_tz", "str_to_utc",
        // A value that is not an array gives null, whatever is searched for.
        "array_contains",
    ]

    /// Functions for which null is a value, or that return false for it, or missing.
    private static let knowsNull: Set<String> = [
        "cosine_distance", "euclidean_distance",
        "N1QL_ifnull", "array_append", "array_avg", "array_contains", "array_count",
        "array_length", "array_repeat", "array_sum", "clock_local", "clock_str", "clock_utc",
        "concat", "date_add_millis", "date_add_str", "date_diff_millis", "date_diff_str",
        "encode_json", "ifmissingornull", "isvalued", "now_local", "now_str",
        "now_utc", "object_add", "object_put",
    ]

    @Test("a missing argument gives missing, a null one null, and no type is an error")
    func everyType() throws {
        let fixture = try QueryFunctionFixture()
        var calls = 0
        for function in QueryFunctions.scalars.map(\.function) {
            // More than two of these are a collation and a power, which have tests of their own.
            let most = ["contains", "euclidean_distance"].contains(function.name) ? 2 : 127
            let count = min(most, function.sqlArgumentCounts.compactMap(\.self).max() ?? 3)
            for place in 0..<count {
                func call(_ value: String) -> String {
                    let values = (0..<count).map { $0 == place ? value : "1" }
                    return "\(function.sqlName)(\(values.joined(separator: ", ")))"
                }
                for type in Self.types where !isTooLarge(function.sqlName, type) {
                    #expect(fixture.message(call(type)) == nil, "\(call(type))")
                    calls += 1
                }
                if !Self.knowsMissing.contains(function.sqlName) {
                    #expect(try fixture.answer(call("NULL")) == "MISSING", "\(call("NULL"))")
                }
                if !Self.knowsNull.contains(function.sqlName), place == 0 {
                    let null = try fixture.answer(call("J('null')"))
                    #expect(null == "null", "\(call("J('null')"))")
                }
            }
        }
        #expect(calls > 1000)
    }

    /// An array of 18 trillion elements is an error, as it should be.
    private func isTooLarge(_ name: String, _ type: String) -> Bool {
        name == "array_range" && type.contains("18446744073709551615")
    }
}
