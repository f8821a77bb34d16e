import Testing

import FleeceLite

@Suite("Borrowed values")
struct BorrowedCopyTests {
    @Test("A copy of one is a separate document, with its shared keys")
    func copies() throws {
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        try encoder.writeJSON(#"{"list":[{"name":"Ada"},[],{},7,"text",2.5,null],"name":"Max"}"#)
        let used = encoder.sharedKeys
        let keys = try #require(used)
        let bytes = try encoder.finish()
        let document = try FleeceDocument(trusted: bytes, sharedKeys: keys)
        let copies = try document.withUnsafeRoot { root in
            let list = try #require(root["list"])
            return try [FleeceDocument(copying: root)]
                + (0..<list.elementCount).map { index in
                    let element = try #require(list[index])
                    return try FleeceDocument(copying: element)
                }
        }
        let texts = try copies.map { try $0.root.json() }
        #expect(texts[0].contains(#""name":"Max""#))
        #expect(
            texts.dropFirst() == [#"{"name":"Ada"}"#, "[]", "{}", "7", "\"text\"", "2.5", "null"])
    }

    @Test("Numbers of an array are read in batches")
    func numbers() throws {
        let document = try FleeceDocument(json: "[1, -2.5, 300000, 18446744073709551615, \"x\", 7]")
        func read(_ start: Int, _ count: Int) -> [Double]? {
            var numbers = Array(repeating: 0.0, count: count)
            let isWhole = numbers.withUnsafeMutableBufferPointer { room in
                document.withUnsafeRoot { $0.readNumbers(from: start, into: room) }
            }
            return isWhole ? numbers : nil
        }
        #expect(read(0, 3) == [1, -2.5, 300_000])
        #expect(read(3, 1) == [18_446_744_073_709_551_616])
        #expect(read(5, 1) == [7])
        #expect(read(6, 0) == [])
        #expect(read(4, 1) == nil)
        #expect(read(5, 2) == nil)
        #expect(read(-1, 1) == nil)
        #expect(read(7, 0) == nil)
    }
}
