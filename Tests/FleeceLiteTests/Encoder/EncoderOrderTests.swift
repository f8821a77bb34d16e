import Testing

import FleeceLite

@Suite("Encoder: order of calls")
struct EncoderOrderTests {
    /// Calls that do not result in a document.
    struct Misuse: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let calls: @Sendable (inout FleeceEncoder) throws -> Void

        init(
            _ description: String,
            _ calls: @escaping @Sendable (inout FleeceEncoder) throws -> Void
        ) {
            testDescription = description
            self.calls = calls
        }
    }

    static let misuses = [
        Misuse("nothing is written") { _ in },
        Misuse("two values at the root") {
            $0.writeNull()
            $0.writeNull()
        },
        Misuse("an array is open at the end") { $0.beginArray() },
        Misuse("a dictionary is open at the end") { $0.beginDictionary() },
        Misuse("a collection is open after a value") {
            $0.writeNull()
            $0.beginArray()
        },
        Misuse("an array is closed that was never opened") { try $0.endArray() },
        Misuse("a dictionary is closed that was never opened") { try $0.endDictionary() },
        Misuse("an array is closed as a dictionary") {
            $0.beginArray()
            try $0.endDictionary()
        },
        Misuse("a dictionary is closed as an array") {
            $0.beginDictionary()
            try $0.endArray()
        },
        Misuse("a key at the root") { try $0.writeKey("a") },
        Misuse("a key in an array") {
            $0.beginArray()
            try $0.writeKey("a")
        },
        Misuse("a key after a key") {
            $0.beginDictionary()
            try $0.writeKey("a")
            try $0.writeKey("b")
        },
        Misuse("a dictionary is closed after a key") {
            $0.beginDictionary()
            try $0.writeKey("a")
            try $0.endDictionary()
        },
    ]

    /// None of these calls throws by itself, so the end of the dictionary must.
    static let valuesForKeys = [
        Misuse("null for a key") {
            $0.beginDictionary()
            $0.writeNull()
            $0.writeInt(1)
            try $0.endDictionary()
        },
        Misuse("an array for a key") {
            $0.beginDictionary()
            $0.beginArray()
            $0.writeInt(1)
            try $0.endArray()
            $0.writeInt(1)
            try $0.endDictionary()
        },
        Misuse("a double for a key") {
            $0.beginDictionary()
            try $0.writeDouble(0.5)
            $0.writeInt(1)
            try $0.endDictionary()
        },
        Misuse("a value in place of the second key") {
            $0.beginDictionary()
            try $0.writeKey("a")
            $0.writeInt(1)
            $0.writeBool(true)
            $0.writeInt(1)
            try $0.endDictionary()
        },
    ]

    @Test("Calls in the wrong order are an error", arguments: misuses + valuesForKeys)
    func misuse(_ misuse: Misuse) {
        #expect(code { _ = try encoded { try misuse.calls(&$0) } } == .encodeError)
    }

    @Test("After an error and reset() an encoder writes as if it were new", arguments: misuses)
    func reset(_ misuse: Misuse) throws {
        var encoder = FleeceEncoder()
        do {
            try encoder.writeJSON(#"["hello","wor"#)
        } catch is FleeceError {}
        try? misuse.calls(&encoder)
        encoder.reset()
        try encoder.writeJSON(#"{"hello":"hello"}"#)
        let document = try encoder.finish()
        #expect(hex(document) == "4568 656c 6c6f 7001 8004 8005 8003")
    }

    @Test("finish() resets the encoder even if it throws")
    func finishResets() throws {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        encoder.writeString("hello")
        do {
            _ = try encoder.finish()
            Issue.record("an open array was finished")
        } catch let error as FleeceError {
            #expect(error.code == .encodeError)
        }
        try encoder.writeJSON(#"["hello"]"#)
        let document = try encoder.finish()
        #expect(hex(document) == "4568 656c 6c6f 6001 8004 8002")
    }

    @Test("withFinishedBytes passes the bytes that finish() copies")
    func lentBytes() throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON("[1,2,3]")
        let document = try encoder.withFinishedBytes { hex($0) }
        #expect(document == "6003 0001 0002 0003 8004")
    }
}
