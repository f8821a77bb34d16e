import StoreTestSupport
import Testing

import FleeceLite

@Suite("Deltas")
struct DeltaTests {
    @Test(
        "Deltas have the shapes of the reference",
        arguments: [
            (#"{"a":1}"#, #"{"a":1}"#, "{}"), (#"{"a":1}"#, #"{"a":null}"#, #"{"a":null}"#),
            (#"{"a":[1]}"#, #"{"a":[]}"#, #"{"a":[[]]}"#), ("[1,2]", "[2]", #"{"0":2,"1-":[]}"#),
            (#"{"a":"x"}"#, "{}", #"{"a":[]}"#), ("[]", #"["x"]"#, #"[["x"]]"#), ("[]", "[]", "{}"),
            ("{}", "{}", "{}"), ("{}", #"{"a":1}"#, #"{"a":1}"#), ("{}", "[]", "[[]]"),
            (#"{"a":{}}"#, #"{"a":{"b":[]}}"#, #"{"a":{"b":[[]]}}"#),
            (#"{"a":1,"b":2}"#, #"{"b":{"c":1},"d":[0]}"#, #"{"b":[{"c":1}],"d":[[0]],"a":[]}"#),
            ("[1]", "[1.0]", #"{"0":1.0}"#), ("[1,2,3]", "[1,[2],3]", #"{"1":[[2]]}"#),
            ("[1,{\"a\":[1,2]}]", "[1,{\"a\":[1,3]},4]", #"{"1":{"a":{"1":3}},"2-":[4]}"#),
            (#"["a"]"#, #"["\u0061"]"#, "{}"), (#"[true]"#, "[false]", #"{"0":false}"#),
            (#"{"a":[{"b":[1]}],"c":[[]]}"#, #"{"a":[{"b":[1]}],"c":[[]]}"#, "{}"),
            (#"{"k\"ey":1}"#, #"{"k\"ey":2}"#, #"{"k\"ey":2}"#),
        ])
    func shapes(old: String, new: String, delta: String) throws {
        let (old, new) = (try document(json: old).root, try document(json: new).root)
        let made = try FleeceDelta(from: old, to: new)
        #expect(made.json.string == delta)
        #expect(made.isEmpty == (delta == "{}"))
        #expect(try apply(delta, old) == json(new))
        // A delta is JSON that an encoder takes.
        let written = try FleeceDocument(trusted: encoded { try $0.write(made) })
        #expect(try written.root == document(json: delta).root)
    }

    @Test("The root value is wrapped, and can be missing")
    func outermost() throws {
        let (one, other) = (try scalar { $0.writeInt(1) }, try scalar { try $0.writeDouble(1) })
        #expect(try FleeceDelta(from: one, to: other).json.string == "[1.0]")
        #expect(try FleeceDelta(from: nil, to: one).json.string == "[1]")
        #expect(try FleeceDelta(from: one, to: nil).json.string == "[]")
        #expect(try FleeceDelta(from: nil, to: nil).json.string == "{}")
        #expect(try FleeceDelta(from: one, to: one).json.string == "{}")
        #expect(try apply("[1.0]", one) == "1.0")
        #expect(try hex(FleeceDelta(json: "[]").applied(to: one)) == "3c00")
        #expect(try hex(FleeceDelta(json: "{}").applied(to: nil)) == "3c00")
        #expect(try hex(FleeceDelta(json: "[5]").applied(to: nil)) == "0005")
    }

    @Test("Equal numbers are distinguished by whether they are integers, and no further")
    func numbers() throws {
        let (signed, unsigned) = (
            try scalar { $0.writeInt(5000) }, try scalar { $0.writeUInt(5000) }
        )
        #expect(try FleeceDelta(from: signed, to: unsigned).isEmpty)
        let (float, double) = (
            try scalar { try $0.writeFloat(0.5) }, try scalar { try $0.writeDouble(0.5) }
        )
        #expect(try FleeceDelta(from: float, to: double).isEmpty)
    }

    @Test(
        "A delta is applied in each of its forms",
        arguments: [
            (#"{"a":1}"#, #"{"a":[1,2]}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"a":[1,0,0]}"#, "{}"),
            (#"{"a":1}"#, #"{"a":[7,0,0],"b":[3]}"#, #"{"b":3}"#), ("[1]", #"[[1],[2]]"#, "[2]"),
            (#"{"a":{"b":1}}"#, #"{"a":{"b":{}}}"#, #"{"a":{"b":1}}"#),
            ("[1,2,3]", #"{"1-":[]}"#, "[1]"), ("[1,2,3]", #"{"3-":[4,5]}"#, "[1,2,3,4,5]"),
            ("[1,2,3]", #"{"0":[9],"2-":["x"]}"#, #"[9,2,"x"]"#), ("[1]", #"{"0-":[]}"#, "[]"),
            ("[]", #"{"0-":[1]}"#, "[1]"), (#"["äb"]"#, #"{"0":["2=3+ßx|1-",0,2]}"#, #"["äßx"]"#),
            (#"["abc"]"#, #"{"0":["3-",0,2]}"#, #"[""]"#), (#"[""]"#, #"{"0":["",0,2]}"#, #"[""]"#),
            (#"["ab"]"#, #"{"0":["2=3+=-||",0,2]}"#, #"["ab=-|"]"#),
            (#"["ab"]"#, #"{"0":["000000000000000000000000002=0-0+|",0,2]}"#, #"["ab"]"#),
            ("{}", "{}", "{}"), (#"{"a":"x"}"#, #"{"a":"y"}"#, #"{"a":"y"}"#),
        ])
    func forms(old: String, delta: String, new: String) throws {
        #expect(try apply(delta, document(json: old).root) == new)
    }

    @Test(
        "An invalid delta, or one of another value, is an error with its path",
        arguments: [
            (#"{"a":1}"#, #"{"b":[]}"#, "b"), (#"{"a":1}"#, #"{"b":[1,2]}"#, "b"),
            (#"{"a":1}"#, #"{"b":[1,0,0]}"#, "b"), (#"{"a":1}"#, #"{"b":{"c":1}}"#, "b"),
            (#"{"a":1}"#, #"{"a":{"c":1}}"#, "a"), (#"{"a":1}"#, #"{"a":[1,2,3,4]}"#, "a"),
            (#"{"a":1}"#, #"{"a":[1,1,0]}"#, "a"), (#"{"a":1}"#, #"{"a":[1,0,5]}"#, "a"),
            (#"{"a":1}"#, #"{"a":[1,0,"0"]}"#, "a"), (#"{"a":1}"#, #"{"a":["1=",0,2]}"#, "a"),
            (#"{"a":"x"}"#, #"{"a":[1,0,2]}"#, "a"), (#"{"a":[1]}"#, #"{"a":{"1":2}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"-1":2}}"#, "a"), (#"{"a":[1]}"#, #"{"a":{"x":2}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"00":2}}"#, "a"), (#"{"a":[1]}"#, #"{"a":{"+0":2}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"2-":[]}}"#, "a"), (#"{"a":[1]}"#, #"{"a":{"0-":1}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"0-":[],"1-":[]}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"":[]}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"0":2,"0-":[]}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"-":[]}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"0":[]}}"#, "a[0]"),
            (#"{"a":[[1]]}"#, #"{"a":{"0":{"0":[]}}}"#, "a[0][0]"),
            (#"{"a":[1]}"#, #"{"a":{"99999999999999999999":2}}"#, "a"),
            (#"{"a":[1]}"#, #"{"a":{"_t":"a","_0":["",0,3]}}"#, "a"),
            ("[1]", #"{"0":["",1,3]}"#, "[0]"), (#"{"a":"x"}"#, #"{"a":["1=",1,2]}"#, "a"),
            (#"{"a":"x"}"#, #"{"a":["1=","0",2]}"#, "a"),
        ])
    func wrongDeltas(old: String, delta: String, place: String) throws {
        let root = try document(json: old).root
        do {
            let new = try apply(delta, root)
            Issue.record("\(delta) gives \(new)")
        } catch let error as FleeceError {
            #expect(error.code == .invalidData)
            #expect(error.message.hasPrefix("the delta at \(place) "), "\(error)")
        }
    }

    @Test("Moves are reported as unsupported")
    func moves() throws {
        let root = try document(json: "[1,2]").root
        for delta in [#"{"0":["",1,3]}"#, #"{"_t":"a","_1":["",0,3]}"#] {
            do {
                _ = try apply(delta, root)
                Issue.record("no error")
            } catch let error as FleeceError {
                #expect(error.message.contains("move"))
            }
        }
    }

    @Test(
        "An invalid patch of a string is an error",
        arguments: [
            "", "4=", "6=", "5=1", "=", "5", "5=+", "5=3+ab|", "5=2+ab", "5=2+abc", "5=1+a", "5*",
            "-5=",
            "5=99999999999999999999999999999999+a|", "99999999999999999999=",
            "18446744073709551621=",
            "5=9223372036854775807+|", "1=4-1=", "1=4=1-", "2=3-1+\u{7F}", "1+é|5=", "1-4=", " 5=",
            "5= ",
        ])
    func wrongPatches(patch: String) throws {
        // "éabc": two bytes and three.
        let old = try document(json: #"["éabc"]"#).root
        var delta = JSONText()
        delta.append("{\"0\":[")
        delta.append(quoted: patch)
        delta.append(",0,2]}")
        #expect(code { _ = try apply(delta.string, old) } == .invalidData)
    }

    @Test("Invalid JSON is not a delta, nor is a value without brackets")
    func noDelta() throws {
        let root = try document(json: "{}").root
        for text in ["", "{", "1", "null", "\"x\""] {
            #expect(code { _ = try apply(text, root) } == .jsonError, "\(text)")
        }
    }

    @Test("JSON lacks infinity and undefined, so deltas cannot contain them")
    func unrepresentable() throws {
        let array = try document(json: "[1]").root
        let infinite = try scalar { encoder in
            encoder.beginArray()
            try encoder.writeDouble(.infinity)
            try encoder.endArray()
        }
        let undefined = try scalar { encoder in
            encoder.beginArray()
            encoder.writeUndefined()
            try encoder.endArray()
        }
        #expect(code { _ = try FleeceDelta(from: array, to: infinite) } == .invalidData)
        #expect(code { _ = try FleeceDelta(from: array, to: undefined) } == .invalidData)
        #expect(try FleeceDelta(from: infinite, to: array).json.string == #"{"0":1}"#)
    }

    private func apply(_ delta: String, _ old: FleeceValue?) throws -> String {
        try json(FleeceDelta(json: delta).applied(to: old))
    }

    private func scalar(_ write: (inout FleeceEncoder) throws -> Void) throws -> FleeceValue {
        try FleeceDocument(trusted: encoded(write)).root
    }
}
