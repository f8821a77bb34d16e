import EngineTestSupport
import Testing

@Suite("Array functions")
struct ArrayFunctionTests {
    @Test("return what N1QL specifies", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer("array_max(J('[-5,-2]'))", "-2.0"),
        Answer("array_min(J('[-5,-2]'))", "-5.0"),
        Answer("array_contains(J('[1,null]'), J('null'))", "true"),
        Answer("array_contains(J('[1]'), J('true'))", "false"),
        Answer("array_contains(J('[true]'), J('true'))", "true"),
        Answer("array_contains(J('[true]'), 1)", "false"),
        Answer(#"array_contains(J('[[1],{"a":1}]'), J('{"a":1.0}'))"#, "true"),
        Answer(#"array_contains(J('{"a":7}'), 7)"#, "null"),
        Answer(
            #"array_distinct(J('[3,1,3.0,"a",null,"a",true,1,null,[1],[1]]'))"#,
            #"[3,1,"a",null,true,[1]]"#),
        Answer("array_intersect(J('[1,2,2,3]'), J('[2,3,4]'), J('[3,2]'))", "[2,3]"),
        Answer("array_symdiff(J('[1,2]'), J('[2,3]'), J('[3,4]'))", "[1,4]"),
        Answer("array_flatten(J('[1,[2,[3,[4]]]]'), 1)", "[1,2,[3,[4]]]"),
        Answer("array_flatten(J('[1,[2,[3,[4]]]]'), -1)", "[1,2,3,4]"),
        Answer("array_flatten(J('[1,[2,[3,[4]]]]'), 0)", "[1,[2,[3,[4]]]]"),
        Answer("array_insert(J('[1,2]'), 1, 'x', 'y')", #"[1,"x","y",2]"#),
        Answer("array_insert(J('[1,2]'), -1, 'x')", #"[1,"x",2]"#),
        Answer("array_insert(J('[1,2]'), 2, 'x')", #"[1,2,"x"]"#),
        Answer("array_insert(J('[1,2]'), 3, 'x')", "null"),
        Answer("array_range(1, 5)", "[1,2,3,4]"),
        Answer("array_range(5, 1, -2)", "[5,3]"),
        Answer("array_range(0, 1, 0.25)", "[0,0.25,0.5,0.75]"),
        Answer("array_repeat('x', 3)", #"["x","x","x"]"#),
        Answer("array_replace(J('[1,2,1]'), 1, 'x')", #"["x",2,"x"]"#),
        Answer("array_replace(J('[1,2,1]'), 1, 'x', 1)", #"["x",2,1]"#),
        Answer(
            #"array_sort(J('["b",2,null,true,false,{"a":1},[1],1.5,"a"]'))"#,
            #"[null,false,true,1.5,2,"a","b",[1],{"a":1}]"#),
        Answer(
            #"array_star(J('[{"a":1},{"a":2,"b":3},5]'))"#,
            #"{"a":[1,2,null],"b":[null,3,null]}"#),
        Answer("array_avg(J('[1,2,3]'))", "2.0"),
        Answer(#"array_sum(J('["x",1,2.5]'))"#, "3.5"),
        Answer("array_avg(J('[]'))", "0.0"),
        Answer(#"array_max(J('["x"]'))"#, "null"),
        Answer("array_count(J('[1,null,2]'))", "2"),
        Answer("array_ifnull(J('[null,2]'))", "2"),
        Answer("array_length(J('[1,null]'))", "2"),
        Answer("array_position(J('[1,true]'), J('true'))", "1"),
        Answer("array_put(J('[1,2]'), 2, 3, 3)", "[1,2,3]"),
        Answer("array_prepend(3, 4, J('[1]'))", "[3,4,1]"),
        Answer("array_concat(J('[1]'), J('[2]'), J('[]'))", "[1,2]"),
        Answer("array_remove(J('[1,2,1,null]'), 1, J('null'))", "[2]"),
        Answer("array_reverse(J('[1,2]'))", "[2,1]"),
    ]
}
