import Testing

import FleeceLite

/// A value whose encoding is defined by a closure of the test.
private struct Encoding: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A key of any name.
private struct Key: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral value: String) { stringValue = value }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

private func coded(_ body: @escaping (any Encoder) throws -> Void) throws -> String {
    let bytes = try FleeceRowEncoder().encode(Encoding(body: body))
    _ = try FleeceDocument(validating: bytes, level: .strict)
    return try json(bytes)
}

private func failure(_ body: @escaping (any Encoder) throws -> Void) throws -> CodingFailure? {
    try codingFailure { _ = try coded(body) }
}

@Suite("Coding: containers in any order")
struct CodingOrderTests {
    @Test("Nested containers, one after another")
    func nested() throws {
        let text = try coded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            try outer.encode(1, forKey: "a")
            var list = outer.nestedUnkeyedContainer(forKey: "list")
            for number in 0..<3 {
                var row = list.nestedUnkeyedContainer()
                try row.encode(number)
                try row.encode("x")
                var pair = row.nestedContainer(keyedBy: Key.self)
                try pair.encode(number, forKey: "n")
            }
            #expect(list.count == 3)
        }
        #expect(
            text == #"{"a":1,"list":[[0,"x",{"n":0}],[1,"x",{"n":1}],[2,"x",{"n":2}]]}"#)
    }

    @Test("A container can be written to while a nested one is in use")
    func interleaved() throws {
        let text = try coded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var first = outer.nestedContainer(keyedBy: Key.self, forKey: "first")
            var second = outer.nestedUnkeyedContainer(forKey: "second")
            var third = outer.nestedUnkeyedContainer(forKey: "third")
            for number in 1...3 {
                try first.encode(number, forKey: Key(stringLiteral: "k\(number)"))
                try third.encode(Double(number) / 2)
                try outer.encode([number: [nil, "text of some length", ""]], forKey: "dictionary")
                try second.encode(number * 1000)
                try outer.encodeNil(forKey: "nil")
                try outer.encode(number == 2, forKey: "even")
            }
            #expect(second.count == 3)
        }
        #expect(
            text
                == #"{"dictionary":{"3":[null,"text of some length",""]},"even":false,"#
                + #""first":{"k1":1,"k2":2,"k3":3},"nil":null,"second":[1000,2000,3000],"#
                + #""third":[0.5,1.0,1.5]}"#)
    }

    @Test("The elements of an array keep their order, regardless of which is finished first")
    func interleavedElements() throws {
        let text = try coded { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(0)
            var rows = (0..<20).map { _ in list.nestedUnkeyedContainer() }
            #expect(list.count == 21)
            try list.encode(21)
            for round in 0..<2 {
                for index in rows.indices.reversed() {
                    #expect(rows[index].codingPath.last?.intValue == index + 1)
                    try rows[index].encode(100 * round + index)
                }
            }
            try list.encode("end")
            #expect(list.count == 23)
        }
        let rows = (0..<20).map { "[\($0),\(100 + $0)]" }.joined(separator: ",")
        #expect(text == #"[0,\#(rows),21,"end"]"#)
    }

    @Test("Buffered containers can contain buffered containers")
    func interleavedDeeply() throws {
        let text = try coded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            var first = outer.nestedUnkeyedContainer(forKey: "a")
            var second = outer.nestedUnkeyedContainer(forKey: "b")
            var inner = second.nestedUnkeyedContainer()
            try second.encode("after inner")
            try first.encode("first")
            try inner.encode("inner")
            var innermost = inner.nestedContainer(keyedBy: Key.self)
            try inner.encode("after innermost")
            try innermost.encode(Float(0.1), forKey: "innermost")
            try outer.encode(UInt64.max, forKey: "c")
            try second.encode("end")
        }
        #expect(
            text
                == #"{"a":["first"],"b":[["inner",{"innermost":0.1},"after innermost"],"#
                + #""after inner","end"],"c":18446744073709551615}"#)
    }

    @Test("Of equal keys the last one wins, in the order of the calls")
    func duplicates() throws {
        let plain = try coded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            try outer.encode(1, forKey: "a")
            try outer.encode(2, forKey: "a")
        }
        #expect(plain == #"{"a":2}"#)
        let overtaken = try coded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            try outer.encode(1, forKey: "a")
            var nested = outer.nestedContainer(keyedBy: Key.self, forKey: "b")
            try outer.encode(2, forKey: "a")
            try outer.encode(3, forKey: "b")
            try nested.encode(4, forKey: "c")
        }
        #expect(overtaken == #"{"a":2,"b":3}"#)
    }

    @Test("Two keyed containers of one encoder write to one dictionary")
    func sameContainer() throws {
        let text = try coded { encoder in
            var first = encoder.container(keyedBy: Key.self)
            var second = encoder.container(keyedBy: Key.self)
            try second.encode(1, forKey: "a")
            var nested = first.nestedContainer(keyedBy: Key.self, forKey: "n")
            var third = encoder.container(keyedBy: Key.self)
            try nested.encode(2, forKey: "b")
            try third.encode(3, forKey: "c")
            try first.encode(4, forKey: "d")
        }
        #expect(text == #"{"a":1,"c":3,"d":4,"n":{"b":2}}"#)
    }

    class Animal: Codable {
        var name: String

        init(_ name: String) { self.name = name }
    }

    final class Dog: Animal {
        enum Way: String, Codable { case shared, nested, named, element }

        private enum Keys: CodingKey { case way, tricks, animal }

        var tricks = 0
        var way = Way.shared

        init(_ name: String, tricks: Int, way: Way) {
            (self.tricks, self.way) = (tricks, way)
            super.init(name)
        }

        required init(from decoder: any Decoder) throws {
            let (way, tricks, parent) = try Self.parts(decoder)
            (self.way, self.tricks) = (way, tricks)
            try super.init(from: parent)
        }

        private static func parts(_ decoder: any Decoder) throws -> (Way, Int, any Decoder) {
            if var list = try? decoder.unkeyedContainer() {
                let way = try list.decode(Way.self)
                let parent = try list.superDecoder()
                return (way, try list.decode(Int.self), parent)
            }
            let container = try decoder.container(keyedBy: Keys.self)
            let way = try container.decode(Way.self, forKey: .way)
            let parent: any Decoder =
                switch way {
                case .nested: try container.superDecoder()
                case .named: try container.superDecoder(forKey: .animal)
                default: decoder
                }
            return (way, try container.decode(Int.self, forKey: .tricks), parent)
        }

        override func encode(to encoder: any Encoder) throws {
            if way == .element {
                var list = encoder.unkeyedContainer()
                try list.encode(way)
                try super.encode(to: list.superEncoder())
                return try list.encode(tricks)
            }
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(way, forKey: .way)
            let parent: any Encoder =
                switch way {
                case .nested: container.superEncoder()
                case .named: container.superEncoder(forKey: .animal)
                default: encoder
                }
            // The superclass is encoded after the following values.
            try container.encode(tricks, forKey: .tricks)
            try super.encode(to: parent)
        }
    }

    @Test(
        "A superclass encodes itself among, or nested in, the subclass's values",
        arguments: [
            (Dog.Way.shared, #"{"name":"Rex","tricks":3,"way":"shared"}"#),
            (Dog.Way.nested, #"{"super":{"name":"Rex"},"tricks":3,"way":"nested"}"#),
            (Dog.Way.named, #"{"animal":{"name":"Rex"},"tricks":3,"way":"named"}"#),
            (Dog.Way.element, #"["element",{"name":"Rex"},3]"#),
        ])
    func superclasses(way: Dog.Way, expected: String) throws {
        let dogs = [Dog("Rex", tricks: 3, way: way), Dog("Rex", tricks: 3, way: way)]
        #expect(try codedJSON(dogs) == "[\(expected),\(expected)]")
        let back = try FleeceRowDecoder().decode(
            [Dog].self, from: FleeceRowEncoder().encode(dogs))
        #expect(back.map(\.name) == ["Rex", "Rex"])
        #expect(back.map(\.tricks) == [3, 3])
    }

    @Test("A value that encodes nothing is an empty dictionary, but not as the root")
    func nothing() throws {
        let text = try coded { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode(Encoding { _ in })
            try list.encode(["a": Encoding { _ = $0.singleValueContainer() }])
            _ = list.superEncoder()
            _ = list.nestedUnkeyedContainer()
        }
        #expect(text == #"[{},{"a":{}},{},[]]"#)
        let root = try failure { _ in }
        #expect(root == CodingFailure("invalidValue", "", "Encoding encoded nothing"))
    }

    @Test("Two values in a single-value container are an error")
    func twoValues() throws {
        let message = "a second value in a single-value container"
        let root = try failure { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(2)
        }
        #expect(root == CodingFailure("invalidValue", "", message))
        let inside = try failure { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            let value = Encoding { encoder in
                var container = encoder.singleValueContainer()
                try container.encode([[1]])
                try container.encodeNil()
            }
            try outer.encode([value], forKey: "a")
        }
        #expect(inside == CodingFailure("invalidValue", "a.0", message))
        let mixed = try failure { encoder in
            var container = encoder.singleValueContainer()
            _ = encoder.unkeyedContainer()
            try container.encode(1)
        }
        #expect(mixed == CodingFailure("invalidValue", "", message))
    }

    @Test("Containers of different kinds for one value are an error, not a trap")
    func differentKinds() throws {
        let message = "two containers of different kinds for one value"
        let keyed = try failure { encoder in
            _ = encoder.container(keyedBy: Key.self)
            var list = encoder.unkeyedContainer()
            #expect(throws: EncodingError.self) { try list.encode(1) }
            #expect(throws: EncodingError.self) { try list.superEncoder().encode([1]) }
            #expect(list.count == 0)
        }
        #expect(keyed == CodingFailure("invalidValue", "", message))
        let single = try failure { encoder in
            var outer = encoder.unkeyedContainer()
            let inner = outer.superEncoder()
            var container = inner.singleValueContainer()
            try container.encode(1)
            _ = inner.container(keyedBy: Key.self)
        }
        #expect(single == CodingFailure("invalidValue", "0", message))
    }

    @Test("An error that a type catches still fails the encoding")
    func caught() throws {
        struct Own: Error {}
        #expect(throws: Own.self) {
            try coded { encoder in
                var outer = encoder.container(keyedBy: Key.self)
                try? outer.encode(Encoding { _ in throw Own() }, forKey: "a")
                try? outer.encode(1, forKey: "b")
            }
        }
        #expect(throws: Own.self) {
            try coded { encoder in
                var outer = encoder.container(keyedBy: Key.self)
                let inner = outer.nestedUnkeyedContainer(forKey: "in use")
                try? outer.encode(Encoding { _ in throw Own() }, forKey: "a")
                #expect(inner.count == 0)
            }
        }
        // The encoding of a rejected number has not started.
        let text = try coded { encoder in
            var outer = encoder.container(keyedBy: Key.self)
            try? outer.encode(Double.nan, forKey: "a")
            try? outer.encode([Float.nan], forKey: "b")
            try outer.encode(1, forKey: "c")
        }
        #expect(text == #"{"c":1}"#)
    }

    @Test("A container that is used after the end of its value is rejected")
    func tooLate() throws {
        final class Escaped {
            var list: (any UnkeyedEncodingContainer)?
            var encoder: (any Encoder)?
        }
        let escaped = Escaped()
        let during = try failure { encoder in
            var outer = encoder.unkeyedContainer()
            try outer.encode(
                Encoding { encoder in
                    escaped.list = encoder.unkeyedContainer()
                    escaped.encoder = encoder
                })
            try escaped.list?.encode(1)
        }
        let message = "a container was used after its value had ended"
        #expect(during == CodingFailure("invalidValue", "", message))
        #expect(throws: EncodingError.self) { try escaped.list?.encode(1) }
        #expect(throws: EncodingError.self) { try escaped.encoder.map { try [1].encode(to: $0) } }
        #expect(escaped.list?.codingPath.isEmpty == true)
    }

    @Test("A nested value can also write to the enclosing container")
    func aroundIt() throws {
        final class Shared {
            var list: (any UnkeyedEncodingContainer)?
        }
        let shared = Shared()
        let text = try coded { encoder in
            var outer = encoder.unkeyedContainer()
            shared.list = outer
            try outer.encode(
                Encoding { encoder in
                    var inner = encoder.unkeyedContainer()
                    try inner.encode("inner")
                    try shared.list?.encode("outer")
                    try inner.encode("inner again")
                })
            try outer.encode("end")
        }
        #expect(text == #"[["inner","inner again"],"outer","end"]"#)
    }

    @Test("Every container and encoder knows its path")
    func paths() throws {
        _ = try coded { encoder in
            #expect(encoder.codingPath.isEmpty)
            var outer = encoder.container(keyedBy: Key.self)
            #expect(outer.codingPath.isEmpty)
            let value = Encoding { encoder in
                #expect(CodingFailure.text(encoder.codingPath) == "a.1")
                var inner = encoder.container(keyedBy: Key.self)
                var list = inner.nestedUnkeyedContainer(forKey: "b")
                try list.encodeNil()
                #expect(CodingFailure.text(list.codingPath) == "a.1.b")
                let parent = list.superEncoder()
                #expect(CodingFailure.text(parent.codingPath) == "a.1.b.1")
                #expect(CodingFailure.text(inner.superEncoder().codingPath) == "a.1.super")
                #expect(CodingFailure.text(encoder.codingPath) == "a.1")
                // This one is in the buffered part.
                let late = inner.nestedUnkeyedContainer(forKey: "c")
                #expect(CodingFailure.text(late.codingPath) == "a.1.c")
                try parent.singleValueCode(1)
            }
            try outer.encode([Encoding { try $0.singleValueCode(0) }, value], forKey: "a")
        }
    }
}

extension Encoder {
    fileprivate func singleValueCode(_ number: Int) throws {
        var container = singleValueContainer()
        try container.encode(number)
    }

    fileprivate func encode(_ numbers: [Int]) throws { try numbers.encode(to: self) }
}
