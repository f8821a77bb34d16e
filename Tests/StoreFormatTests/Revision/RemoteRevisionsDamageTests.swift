import EngineTestSupport
import FleeceLite
import StoreFormat
import Testing

@Suite("RemoteRevisions: damage")
struct RemoteRevisionsDamageTests {
    private typealias Sample = RemoteRows

    private func read(_ extra: [UInt8], body: [UInt8]? = Sample.conflictedBody) throws {
        let document = try body.map { try FleeceDocument(trusted: $0, sharedKeys: Sample.keys) }
        let remotes = try RemoteRevisions(
            extra: extra, body: document, sharedKeys: Sample.keys)
        if let document { _ = try remotes.encoded(body: document) }
    }

    private func expectDamage(_ reason: String, _ body: () throws -> Void) {
        let error = #expect(throws: StoreError.self) { try body() }
        #expect(error?.has(.corruptRevisionData) == true)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "no error")")
    }

    /// An array that starts with an element 0, and has no pointers into the body.
    private func extra(
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.amend(
            FleeceDocument(trusted: [0x70, 0x00]), padding: 4, externPointers: true)
        encoder.beginArray()
        encoder.writeNull()
        try write(&encoder)
        try encoder.endArray()
        return try encoder.finish()
    }

    private func element(
        _ encoder: inout FleeceEncoder, id: [UInt8] = [1, 0xAB],
        _ more: (inout FleeceEncoder) throws -> Void = { _ in }
    ) throws {
        encoder.beginDictionary()
        try encoder.writeKey("@")
        encoder.writeData(id)
        try more(&encoder)
        try encoder.endDictionary()
    }

    @Test("four zeros that are not followed by an array")
    func form() throws {
        expectDamage("zeros") { try read([]) }
        expectDamage("zeros") { try read([0, 0, 0]) }
        expectDamage("zeros") { try read([0, 0, 0, 1, 0x60, 0, 0x80, 1]) }
        expectDamage("damaged") { try read([0, 0, 0, 0, 0]) }
        expectDamage("not an array") { try read([0, 0, 0, 0, 0x70, 0, 0x80, 1]) }
        // What LiteCore would not write, but can be read: no remotes.
        try read([0, 0, 0, 0, 0x60, 0, 0x80, 1])
    }

    @Test("pointers outside of the extra and the body")
    func pointers() throws {
        expectDamage("invalid pointer") { try read(Sample.conflictedExtra, body: nil) }
        expectDamage("invalid pointer") { try read(Sample.conflictedExtra, body: [0x70, 0x00]) }
        var extra = Sample.conflictedExtra
        extra[9] = 0x7F
        expectDamage("invalid pointer") { try read(extra) }
    }

    @Test("a cut anywhere is an error, and flipping any bit does not trap")
    func everyByte() throws {
        let whole = Sample.conflictedExtra
        for count in 0..<whole.count {
            #expect(throws: StoreError.self, "\(count) bytes") {
                try read(Array(whole.prefix(count)))
            }
        }
        var refused = 0
        for index in whole.indices {
            for bit in 0..<8 {
                var extra = whole
                extra[index] ^= 1 << bit
                do {
                    try read(extra)
                } catch let error as StoreError {
                    #expect(error.has(.corruptRevisionData))
                    refused += 1
                }
            }
        }
        #expect(refused > whole.count)
    }

    @Test("elements and properties of the wrong kind")
    func kinds() throws {
        expectDamage("element 1 is not a dictionary") { try read(extra { $0.writeInt(5) }) }
        expectDamage("element 1 is not a dictionary") { try read(extra { $0.writeUndefined() }) }
        expectDamage("no revision") {
            try read(extra { try $0.writeJSON(#"{".":{}}"#) })
        }
        expectDamage("not data") { try read(extra { try $0.writeJSON(#"{"@":"1-ab"}"#) }) }
        expectDamage("not a dictionary") {
            try read(
                extra {
                    try element(&$0) {
                        try $0.writeKey("."); $0.writeInt(1)
                    }
                })
        }
        for flags in [-1, 65_536] {
            expectDamage("flags") {
                try read(
                    extra {
                        try element(&$0) {
                            try $0.writeKey("&"); $0.writeInt(flags)
                        }
                    })
            }
        }
        expectDamage("flags") {
            try read(
                extra {
                    try element(&$0) {
                        try $0.writeKey("&"); $0.writeString("1")
                    }
                })
        }
    }

    @Test("invalid revisions", arguments: [[], [0], [1], [0x80], [0, 1, 0x80]] as [[UInt8]])
    func revisions(id: [UInt8]) throws {
        expectDamage("damaged") { try read(extra { try element(&$0, id: id) }) }
    }

    @Test("keys that have no number in the file")
    func lostKeys() throws {
        var bytes = try extra {
            try element(&$0) {
                try $0.writeKey("x"); $0.writeInt(1)
            }
        }
        let key = try #require(bytes.firstIndex(of: UInt8(ascii: "x")))
        (bytes[key - 1], bytes[key]) = (0x07, 0xFF)
        expectDamage("unreadable") { try read(bytes) }
    }

    @Test("more remotes than the maximum")
    func tooMany() throws {
        expectDamage("not an array of remotes") {
            try read(extra { for _ in 0..<65_536 { $0.writeNull() } })
        }
        try read(extra { for _ in 0..<65_535 { $0.writeNull() } })
    }

    @Test("a large value shared by very many remotes does not take more memory than allowed")
    func sharing() throws {
        // 1 KB of revision for each of 2,000 remotes, by pointers to one element.
        let id: [UInt8] = [1] + [UInt8](repeating: 0xAB, count: 1000)
        let bytes = try extra { encoder in
            try element(&encoder, id: id)
            guard let written = encoder.lastWrittenValue else { return }
            for _ in 0..<2000 { try encoder.write(again: written) }
        }
        expectDamage("too often") { try read(bytes) }
        // Properties of 300 KB for each of 200.
        let text = String(repeating: "x", count: 300_000)
        let large = try extra { encoder in
            try element(&encoder) {
                try $0.writeKey(".")
                try $0.writeJSON(#"{"text":"\#(text)"}"#)
            }
            guard let written = encoder.lastWrittenValue else { return }
            for _ in 0..<200 { try encoder.write(again: written) }
        }
        let body = try FleeceDocument(trusted: [0x70, 0x00])
        let remotes = try RemoteRevisions(extra: large, body: body, sharedKeys: SharedKeys())
        expectDamage("larger than allowed") { _ = try remotes.encoded(body: body) }
    }
}
