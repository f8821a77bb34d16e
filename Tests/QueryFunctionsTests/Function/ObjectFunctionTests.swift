import EngineTestSupport
import Testing

@Suite("Object functions")
struct ObjectFunctionTests {
    @Test("return what N1QL specifies", arguments: answers)
    func answer(_ answer: Answer) throws {
        #expect(try QueryFunctionFixture().answer(answer.expression) == answer.json)
    }

    private static let answers = [
        Answer(#"object_add(J('{"a":1}'), 'b', 2)"#, #"{"a":1,"b":2}"#),
        Answer(#"object_add(J('{"a":1}'), 'a', 2)"#, "null"),
        Answer(#"object_put(J('{"a":1}'), 'a', NULL)"#, "{}"),
        Answer(#"object_rename(J('{"a":1,"b":2}'), 'a', 'c')"#, #"{"b":2,"c":1}"#),
        Answer(#"object_concat(J('{"a":1}'), J('{"a":2,"b":3}'))"#, #"{"a":2,"b":3}"#),
        Answer(#"object_remove(J('{"a":1,"b":2}'), 'a')"#, #"{"b":2}"#),
        Answer(#"object_length(J('{"a":1,"b":2}'))"#, "2"),
        Answer(#"object_names(J('{"b":1,"a":2}'))"#, #"["a","b"]"#),
        Answer(#"object_values(J('{"b":1,"a":2}'))"#, "[2,1]"),
        Answer(#"object_replace(J('{"a":1,"b":2}'), 1, 'x')"#, #"{"a":"x","b":2}"#),
    ]
}
