import Testing

import FleeceLite

@Suite("Mutable values: from variables and literals")
struct MutableConstructionTests {
    @Test("Variables of Swift's types become values")
    func variables() {
        let (number, large, small) = (Int(-7), UInt64.max, UInt8(200))
        #expect(MutableFleeceValue(number).int == -7)
        #expect(MutableFleeceValue(large).uint == .max && MutableFleeceValue(large).int == nil)
        #expect(MutableFleeceValue(small).int == 200)
        let (half, yes, text) = (0.5, true, "text")
        #expect(MutableFleeceValue(half).double == 0.5)
        #expect(MutableFleeceValue(yes).bool == true)
        #expect(MutableFleeceValue(text).string == "text")
    }

    @Test("A literal can be written directly")
    func literals() throws {
        var encoder = FleeceEncoder()
        try encoder.write(["a": 1, "b": [true, "x"]])
        let bytes = try encoder.finish()
        #expect(try json(bytes) == #"{"a":1,"b":[true,"x"]}"#)
        try encoder.write([1, 2])
        let array = try encoder.finish()
        #expect(try json(array) == "[1,2]")
    }
}
