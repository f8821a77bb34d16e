import Testing
@testable import StoreFormat

@Suite("VersionVector: text")
struct VersionVectorTextTests {
    private static let alice = "AAECAwQFBgcICQoLDA0ODw"
    private static let bob = "EBAQEBAQEBAQEBAQEBAQEA"

    @Test(
        "a semicolon ends the current versions; without one only the first version is current",
        arguments: [
            ("18e9f0b79eed0000@*", [true]),
            ("3000000000000@*; 2000000000000@\(alice)", [true, false]),
            ("3000000000000@*, 2000000000000@\(alice);", [true, true]),
            (
                "3000000000000@*, 2000000000000@\(alice); 1000000000000@\(bob)",
                [true, true, false]
            ),
        ])
    func groups(text: String, marks: [Bool]) throws {
        let vector = try VersionVector(text: text)
        #expect(vector.versions.map(\.isCurrent) == marks)
        #expect(vector.text == text && vector.description == text)
        #expect(try VersionVector(binary: vector.binary) == vector)
        #expect(vector.currentText == String(text.prefix { !",;".contains($0) }))
        #expect(vector.currentCount == marks.count { $0 })
    }

    @Test(
        "other spellings are read",
        arguments: [
            ("3000000000000@*,2000000000000@\(alice)", "; "),
            ("3000000000000@*;2000000000000@\(alice)", "; "),
            (" 3000000000000@* ;  2000000000000@\(alice)  ", "; "),
            ("3000000000000@*,2000000000000@\(alice) ; ", ", "),
        ])
    func spellings(text: String, separator: String) throws {
        let expected = "3000000000000@*\(separator)2000000000000@\(Self.alice)"
        let end = separator == ", " ? ";" : ""
        #expect(try VersionVector(text: text).text == expected + end)
        #expect(try VersionVector(text: "ABCDEF0123456@*;").text == "abcdef0123456@*")
    }

    @Test(
        "what is not a vector is rejected",
        arguments: [
            "", " ", ";", ",", "@", "3000000000000", "3000000000000@", "@*", "*@3000000000000",
            "3000000000000@**", "3000000000000@*@*", "+3000000000000@*", "-3@*", "0x3000000000@*",
            "3000000000000 @*", "1@*", "ffffffffff@*", "8000000000000000@*",
            "10000000000000000@*", "3000000000000@AAECAwQFBgcICQoLDA0OD",
            "3000000000000@AAECAwQFBgcICQoLDA0ODw==", "3000000000000@AAECAwQFBgcICQoLDA0ODx",
            "3000000000000@AAECAwQFBgcICQoLDA0OD-", "3000000000000@AAECAwQFBgcICQoLDA0Oé",
            "3000000000000@*,", "3000000000000@*,,", "3000000000000@*, 2000000000000@*",
            "; 3000000000000@*", "3000000000000@*; 2000000000000@\(alice);", "2-0f3a",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: StoreError.self) { try VersionVector(text: text) }
        #expect(error?.has(.badRevisionID) == true)
    }

    @Test("ids of all bytes survive as base64")
    func base64() throws {
        for byte in UInt8.min...UInt8.max {
            let bytes = (0..<16).map { byte &+ UInt8($0) &* 37 }
            let id = try VersionVector.PeerID(bytes)
            #expect(id.bytes == bytes)
            #expect(id.description == VersionVector.sourceText(bytes))
            let vector = try VersionVector(text: "3000000000000@\(id)")
            #expect(vector.first.source == .peer(id))
        }
    }
}
