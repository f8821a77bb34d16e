import Testing

import FleeceLite

@Suite("JSON reader: lifting a property")
struct JSONReaderLiftingTests {
    /// Writes JSON without the property `_id`; the document's hexadecimal and the property's value.
    private func lifted(
        _ text: String, name: String = "_id"
    ) throws -> (hex: String, value: String?) {
        var encoder = FleeceEncoder()
        let value = try Array(text.utf8).withUnsafeBytes {
            try encoder.writeJSON($0, lifting: name)
        }
        let document = try encoder.finish()
        return (hex(document), value)
    }

    @Test(
        "A lifted property is returned and not written",
        arguments: [
            (#"{"_id":"x","f":42}"#, "x"), (#"{"f":42,"_id":"x"}"#, "x"),
            (#"{ "_id" : "" , "f" : 42 }"#, ""), (#"{"\u005fid":"\u00e9\n","f":42}"#, "é\n"),
            (#"{"_id":"x","f":42,"_id":"y"}"#, "y"), (#"{"f":42}"#, nil),
        ] as [(String, String?)])
    func lifting(text: String, value: String?) throws {
        let result = try lifted(text)
        #expect(result.value == value)
        #expect(result.hex == "7001 4166 002a 8003")
    }

    @Test("Only a property of the root object is lifted")
    func liftingInside() throws {
        let object = try lifted(#"{"a":{"_id":"x"}}"#)
        #expect(object.value == nil)
        #expect(object.hex == hex(try encoded(json: #"{"a":{"_id":"x"}}"#)))
        let array = try lifted(#"[{"_id":"x"}]"#)
        #expect(array.value == nil)
        #expect(array.hex == hex(try encoded(json: #"[{"_id":"x"}]"#)))
        #expect(try lifted(#"{"_i":1,"_idd":2,"id":3}"#).value == nil)
    }

    @Test("An object with only the lifted property is empty")
    func liftingOnly() throws {
        let result = try lifted(#"{"_id":"x"}"#)
        #expect(result.value == "x")
        #expect(result.hex == "7000")
    }

    @Test(
        "A lifted property that is not a string is an error",
        arguments: ["1", "null", "true", "[]", #"{"a":"b"}"#, "", "}"])
    func liftingOther(value: String) {
        #expect(code { _ = try lifted(#"{"_id":\#(value)}"#) } == .jsonError)
    }

    @Test("The lifted key is not added to the table of shared keys")
    func liftingWithSharedKeys() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        _ = try Array(#"{"_id":"x","a":1}"#.utf8).withUnsafeBytes {
            try encoder.writeJSON($0, lifting: "_id")
        }
        let keys = encoder.sharedKeys?.keys
        #expect(keys == ["a"])
    }
}
