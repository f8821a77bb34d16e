import StorePlatform
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("are two of each byte in lower case, and lead back to it")
    func bytes() {
        let all = Array(UInt8.min ... .max)
        #expect(Hexadecimal.encoded([0, 0x0F, 0xAB] as [UInt8]) == "000fab")
        #expect(Hexadecimal.decoded(Hexadecimal.encoded(all).utf8) == all)
        #expect(Hexadecimal.decoded(Hexadecimal.encoded(all).uppercased().utf8) == all)
        #expect(Hexadecimal.decoded("".utf8) == [])
    }

    @Test(
        "are not other characters, a sign, or an odd number of digits",
        arguments: ["g0", "/0", ":0", "@0", "G0", "`0", "+f", "-1", "0", "000", "0x00", " 00"])
    func refused(_ text: String) {
        #expect(Hexadecimal.decoded(text.utf8) == nil)
    }

    @Test("of a number have zeros before them")
    func numbers() {
        #expect(Hexadecimal.encoded(UInt(0x2F), digits: 6) == "00002f")
        #expect(Hexadecimal.encoded(UInt(0x123_4567), digits: 6) == "1234567")
    }
}
