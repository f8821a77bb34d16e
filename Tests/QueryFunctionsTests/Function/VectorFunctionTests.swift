import EngineTestSupport
import FleeceLite
import SQLCore
import Testing

@Suite("Vectors for the indexes of other programs")
struct VectorFunctionTests {
    let fixture: PredictionFixture

    init() throws {
        fixture = try PredictionFixture()
    }

    /// 1, -2.5 and 0.1 in single precision, little-endian.
    private static let bytes: [UInt8] = [
        0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC0, 0xCD, 0xCC, 0xCC, 0x3D,
    ]
    private static let base64 = "AACAPwAAIMDNzMw9"

    @Test("encode_vector encodes arrays and Base64 as floats, marked as data")
    func encoding() throws {
        #expect(try fixture.value("encode_vector(fleece('[1, -2.5, 0.1]'))") == .blob(Self.bytes))
        #expect(try fixture.value("encode_vector('\(Self.base64)')") == .blob(Self.bytes))
        #expect(try fixture.value("subtype(encode_vector('\(Self.base64)'))") == .long(0x66))
        #expect(
            try fixture.value("encode_vector(encode_vector('\(Self.base64)'))")
                == .blob(Self.bytes))
        // 1e39 is beyond single precision.
        #expect(
            try fixture.value("encode_vector(fleece('[1e39]'))") == .blob([0, 0, 0x80, 0x7F]))
    }

    @Test("The padding of Base64 may be missing")
    func padding() throws {
        #expect(try fixture.value("encode_vector('AACAPw==')") == .blob([0, 0, 0x80, 0x3F]))
        #expect(try fixture.value("encode_vector('AACAPw')") == .blob([0, 0, 0x80, 0x3F]))
    }

    @Test("Longer vectors are encoded number by number, too")
    func longer() throws {
        let numbers = (0..<1000).map { Float($0) / 8 - 50 }
        let expected = numbers.flatMap { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { [UInt8]($0) }
        }
        #expect(
            try fixture.value("encode_vector(fleece(?))", [.text("\(numbers)")])
                == .blob(expected))
    }

    @Test(
        "A value that is not a vector is missing",
        arguments: [
            "NULL", "1", "2.5", "x''", "x'01'", "''", "'AACA'", "'AACAPw='", "'AACAPw==='",
            "'===='",
            "'AACAPw==x'", "'AACA Pw=='", "'AACAP-=='", "'A'", "fleece('[]')",
            "fleece('{\"a\":1}')",
            "fleece('[\"a\"]')", "fleece('[null]')",
        ])
    func noVector(_ value: String) throws {
        #expect(try fixture.value("encode_vector(\(value))") == .null)
    }

    @Test("fl_vector_to_index encodes a property of a body, if it has the size")
    func ofBody() throws {
        let body = """
            {"v":[1,-2.5,0.1],"text":"\(Self.base64)","deep":[{"v":[1,-2.5,0.1]}],"n":null}
            """
        func read(_ path: String, _ count: Int = 3) throws -> SQLValue? {
            try fixture.value("fl_vector_to_index(fleece(?), '\(path)', \(count))", [.text(body)])
        }
        for path in ["v", "text", "deep[0].v", "deep[-1].v"] {
            #expect(try read(path) == .blob(Self.bytes))
            #expect(try read(path, 2) == .null)
            #expect(try read(path, 4) == .null)
        }
        for path in ["n", "x", "v[0]", "deep", "deep[1].v", "deep[-2].v", "v[", "[99999999999]"] {
            #expect(try read(path) == .null, "\(path)")
        }
        for count in [0, 1, -3, 4097, Int.max, Int.min] { #expect(try read("v", count) == .null) }
    }

    @Test(
        "fl_vector_to_index of anything else is missing",
        arguments: ["NULL, 'v', 3", "1, 'v', 3", "'v', 'v', 3", "x'01', 'v', 3", "x'', 'v', 3"])
    func otherBodies(_ arguments: String) throws {
        #expect(try fixture.value("fl_vector_to_index(\(arguments))") == .null)
        #expect(try fixture.value("fl_vector_to_index(fleece('{\"v\":[1,2]}'), NULL, 2)") == .null)
        #expect(try fixture.value("fl_vector_to_index(fleece('{\"v\":[1,2]}'), x'76', 2)") == .null)
        #expect(try fixture.value("fl_vector_to_index(fleece('{\"v\":[1,2]}'), 'v', 'x')") == .null)
    }
}
