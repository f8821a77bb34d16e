import Testing

import FleeceLite

@Suite("Coding: errors and their coding paths")
struct CodingErrorTests {
    private struct Person: Decodable {
        var name: Name
        var children: [Person]?
        var scores: [String: [Double]]?
        var shape: Shape?

        struct Name: Decodable {
            var first: String
            var last: String?
        }

        enum Shape: Decodable {
            case box(width: Int)
        }
    }

    @Test(
        "Every error contains its coding path and the kind that was found",
        arguments: [
            ("{}", CodingFailure("keyNotFound", "", "there is no property \"name\"")),
            (
                #"{"name":{}}"#,
                CodingFailure("keyNotFound", "name", "there is no property \"first\"")
            ),
            (
                #"{"name":{"first":null}}"#,
                CodingFailure("valueNotFound", "name.first", "String expected, but found null")
            ),
            (
                #"{"name":{"first":"a","last":1}}"#,
                CodingFailure(
                    "typeMismatch", "name.last", "String expected, but found an integer")
            ),
            (
                #"{"name":"a"}"#,
                CodingFailure(
                    "typeMismatch", "name",
                    "Dictionary<String, Any> expected, but found a string")
            ),
            (
                #"{"name":{"first":"a"},"children":[{"name":{"first":"b"}},{"name":[]}]}"#,
                CodingFailure(
                    "typeMismatch", "children.1.name",
                    "Dictionary<String, Any> expected, but found an array")
            ),
            (
                #"{"name":{"first":"a"},"children":{}}"#,
                CodingFailure(
                    "typeMismatch", "children", "Array<Any> expected, but found a dictionary")
            ),
            (
                #"{"name":{"first":"a"},"children":[null]}"#,
                CodingFailure(
                    "valueNotFound", "children.0",
                    "Dictionary<String, Any> expected, but found null")
            ),
            (
                #"{"name":{"first":"a"},"scores":{"x":[1],"y":[1,2,true]}}"#,
                CodingFailure(
                    "typeMismatch", "scores.y.2", "Double expected, but found a Boolean")
            ),
            (
                #"{"name":{"first":"a"},"shape":{"box":{"width":0.5}}}"#,
                CodingFailure(
                    "dataCorrupted", "shape.box.width", "the number does not fit in Int")
            ),
        ])
    func decoding(json: String, expected: CodingFailure) throws {
        #expect(try codingFailure { _ = try decoded(Person.self, json: json) } == expected)
    }

    private enum Key: CodingKey { case a, b, c }

    /// Runs a body with the decoder of a JSON text.
    private struct Decoding: Decodable {
        static let body = CodingUserInfoKey(rawValue: "body") ?? .never

        init(from decoder: any Decoder) throws {
            let body = decoder.userInfo[Self.body] as? @Sendable (any Decoder) throws -> Void
            let run = try #require(body)
            try run(decoder)
        }
    }

    private func decoding(
        _ json: String, _ body: @escaping @Sendable (any Decoder) throws -> Void
    ) throws {
        var form = FleeceRowDecoder()
        form.userInfo[Decoding.body] = body
        _ = try decoded(Decoding.self, json: json, as: form)
    }

    @Test("A keyed container finds the existing keys")
    func keyed() throws {
        try decoding(#"{"a":1,"b":null,"x":[]}"#) { decoder in
            let container = try decoder.container(keyedBy: Key.self)
            #expect(container.allKeys == [.a, .b])
            #expect(container.contains(.a))
            #expect(container.contains(.b))
            #expect(!container.contains(.c))
            #expect(try !container.decodeNil(forKey: .a))
            #expect(try container.decodeNil(forKey: .b))
            #expect(try container.decodeIfPresent(Int.self, forKey: .c) == nil)
            let missing = try codingFailure { _ = try container.decodeNil(forKey: .c) }
            #expect(missing == CodingFailure("keyNotFound", "", "there is no property \"c\""))
            let parent = try container.superDecoder()
            #expect(CodingFailure.text(parent.codingPath) == "super")
            #expect(try parent.singleValueContainer().decodeNil())
        }
    }

    @Test("An array at its end reports an error, which does not advance it")
    func unkeyed() throws {
        try decoding(#"[1,null,"x",{"a":[2]}]"#) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(container.count == 4)
            #expect(throws: DecodingError.self) { try container.decode(String.self) }
            #expect(try container.decodeNil() == false)
            #expect(container.currentIndex == 0)
            #expect(try container.decode(Int.self) == 1)
            #expect(try container.decodeIfPresent(Int.self) == nil)
            #expect(container.currentIndex == 2)
            #expect(throws: DecodingError.self) { try container.nestedUnkeyedContainer() }
            #expect(try container.decode(String.self) == "x")
            let nested = try container.nestedContainer(keyedBy: Key.self)
            #expect(CodingFailure.text(nested.codingPath) == "3")
            var list = try nested.nestedUnkeyedContainer(forKey: .a)
            #expect(CodingFailure.text(list.codingPath) == "3.a")
            #expect(try list.decode(Int8.self) == 2)
            #expect(container.isAtEnd)
            #expect(try container.decodeIfPresent(Int.self) == nil)
            for body in [
                { _ = try container.decode(Int.self) }, { _ = try container.decodeNil() },
                { _ = try container.superDecoder() },
            ] as [() throws -> Void] {
                let failure = try codingFailure(body)
                #expect(
                    failure == CodingFailure("valueNotFound", "4", "the array is at its end"))
            }
        }
    }

    @Test("A decoder can be used repeatedly, and retained")
    func again() throws {
        final class Kept: @unchecked Sendable { var decoder: (any Decoder)? }
        let kept = Kept()
        try decoding(#"[[1,2],"x"]"#) { decoder in
            var list = try decoder.unkeyedContainer()
            kept.decoder = try list.superDecoder()
            let inner = try #require(kept.decoder)
            #expect(throws: DecodingError.self) { try [String](from: inner) }
        }
        let decoder = try #require(kept.decoder)
        #expect(try [Int](from: decoder) == [1, 2])
        #expect(try [Int](from: decoder) == [1, 2])
        #expect(decoder.codingPath.count == 1)
    }

    @Test("An error that a type throws is passed on unchanged")
    func ownErrors() throws {
        struct Own: Error, Equatable { let path: String }
        #expect(throws: Own(path: "")) {
            try decoding("[]") { decoder in
                throw Own(path: CodingFailure.text(decoder.codingPath))
            }
        }
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw Own(path: CodingFailure.text(encoder.codingPath))
            }
        }
        #expect(throws: Own(path: "a.1")) {
            try FleeceRowEncoder().encode(["a": [nil, Refusing()]])
        }
        #expect(throws: Own(path: "a.0.b")) {
            try FleeceRowEncoder().encode(["a": [["b": Refusing()]]])
        }
    }

    @Test("Bytes without a root are an error of the format")
    func noRoot() throws {
        #expect(code { _ = try FleeceRowDecoder().decode(Int.self, from: []) } == .invalidData)
    }
}
