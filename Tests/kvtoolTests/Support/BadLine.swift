import Foundation
import Testing

/// A line of a file that is not a document, and what is said of it.
struct BadLine: CustomTestStringConvertible, Sendable {
    let bytes: Data
    let column: Int
    let message: String

    var testDescription: String {
        "\(message): \(String(decoding: bytes.prefix(40), as: UTF8.self))"
    }

    private init(_ text: String, _ column: Int, _ message: String) {
        self.init(Data(text.utf8), column, message)
    }

    private init(_ bytes: Data, _ column: Int, _ message: String) {
        self.bytes = bytes
        self.column = column
        self.message = message
    }

    private static let value = "a value is expected"
    private static let cutOff = "the JSON is truncated"
    private static let notFirst = "an object or array must come first"
    private static let notUTF8 = "the text is not UTF-8" + encodings
    private static let encodings =
        "; for another encoding, use --encoding, e.g. latin1, windows-1252 or utf-16"

    static let all = [
        BadLine("not JSON", 1, notFirst), BadLine("  5", 3, notFirst),
        BadLine("null", 1, notFirst), BadLine("\"text\"", 1, notFirst),
        BadLine("[1]", 1, "a document's body must be an object"),
        BadLine(#"{"_id":"x","n":}"#, 16, value), BadLine(#"{"_id":"x","n":nul}"#, 16, value),
        BadLine(#"{"_id":"x","n":NaN}"#, 16, value), BadLine(#"{"_id":"x","n":.5}"#, 16, value),
        BadLine(#"{"_id":"x","é":"ü","n":+1}"#, 24, value),
        BadLine(#"{"_id":"x","n":01}"#, 16, "a number begins with 0"),
        BadLine(#"{"_id":"x","n":1.}"#, 18, "a digit is expected"),
        BadLine(#"{"_id":"x","n":1e999}"#, 16, "the number is beyond the range of a double"),
        BadLine(#"{"_id":"x""#, 11, cutOff), BadLine(#"{"_id":"x","#, 12, cutOff),
        BadLine("{", 2, cutOff), BadLine(#"{"_id"}"#, 7, "':' is expected"),
        BadLine(#"{"_id":"x",}"#, 12, "a key in quotes is expected"),
        BadLine("{'_id':1}", 2, "a key in quotes is expected"),
        BadLine(#"{"_id":"x"]"#, 11, "',' or '}' is expected"),
        BadLine(#"{"_id":"x","l":[1}"#, 18, "',' or ']' is expected"),
        BadLine(#"{"_id":"x"} {"_id":"y"}"#, 13, "unexpected text after the JSON value"),
        BadLine(#"{"_id":"x"},"#, 12, "unexpected text after the JSON value"),
        BadLine(#"{"_id":"x"#, 8, "unterminated string"),
        BadLine(#"{"_id":"\x"}"#, 9, "an unknown escape"),
        BadLine(#"{"_id":"\u12g4"}"#, 11, "four hexadecimal digits are expected"),
        BadLine(#"{"_id":"\ud800"}"#, 9, "an unpaired surrogate"),
        BadLine(#"{"_id":"x","t":"\ude00\ud83d"}"#, 17, "an unpaired surrogate"),
        BadLine("{\"_id\":\"x\",\"t\":\"a\tb\"}", 18, "a control character must be escaped"),
        BadLine("{\"_id\":\"x\",\"t\":\"a\u{0}b\"}", 18, "a control character must be escaped"),
        BadLine("{\"_id\":\"x\",\"a\":1}\u{0}", 18, "unexpected text after the JSON value"),
        BadLine("\u{FEFF}{\"_id\":\"x\"}", 1, notFirst),
        BadLine(#"{"_id":7}"#, 8, #"the value of "_id" must be a string"#),
        BadLine(#"{"_id":null}"#, 8, #"the value of "_id" must be a string"#),
        BadLine(
            #"{"_id":"x","_rev":"1-a"}"#, 1,
            #"the property "_rev" is reserved and cannot be stored"#),
        BadLine(
            #"{"_id":"x","_deleted":false}"#, 1,
            #"the property "_deleted" is reserved and cannot be stored"#),
        BadLine(Data(#"{"_id":"x","t":"é"#.utf8) + [0xFF] + Data(#""}"#.utf8), 18, notUTF8),
        BadLine(Data(#"{"_id":""#.utf8) + [0xC3, 0x28] + Data(#""}"#.utf8), 9, notUTF8),
        BadLine(Data(#"{"t":""#.utf8) + [0xED, 0xA0, 0x80] + Data(#""}"#.utf8), 7, notUTF8),
        BadLine(Data(#"{"t":""#.utf8) + [0xF4, 0x90, 0x80, 0x80] + Data(#""}"#.utf8), 7, notUTF8),
        BadLine(Data([0xFF, 0xFE, 0x7B, 0x00]), 1, notFirst + encodings),
        BadLine(nested(100, inside: "1"), 116, "more than 100 levels of nesting"),
        BadLine(nested(101, inside: ""), 116, "more than 100 levels of nesting"),
        BadLine(nested(20_000, inside: ""), 116, "more than 100 levels of nesting"),
    ]

    /// A document with this many arrays inside one another in it.
    private static func nested(_ count: Int, inside: String) -> String {
        let arrays =
            String(repeating: "[", count: count) + inside
            + String(repeating: "]", count: count)
        return #"{"_id":"x","a":\#(arrays)}"#
    }
}
