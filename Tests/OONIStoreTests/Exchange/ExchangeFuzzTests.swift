import DocumentStore
import Foundation
import SampleData
import StoreTestSupport
import Testing

import OONIStore

/// `STORE_FUZZ_INPUTS` says how many inputs there are of each kind, `STORE_SEED` where they begin.
@Suite("Damaged input of all kinds")
struct ExchangeFuzzTests {
    private let directory: TemporaryDirectory
    private let inputs = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 300)
    private var random: SeededGenerator

    init() throws {
        directory = try TemporaryDirectory()
        let seed = TestEnvironment.number("STORE_SEED", or: 9)
        FileHandle.standardError.write(Data("ExchangeFuzzTests: STORE_SEED=\(seed)\n".utf8))
        random = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
    }

    private func lines(_ store: OONIStore) throws -> [String] {
        var lines: [String] = []
        try store.export { lines.append($0) }
        return lines
    }

    @Test("A database with any bytes is imported as far as it can be read, or refused whole")
    mutating func databases() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: fixture.path)))
        var refused = 0
        for _ in 0..<inputs {
            var bytes = whole
            for _ in 0...random.below(8) {
                bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            try Data(bytes).write(to: URL(fileURLWithPath: fixture.path))
            let store = try OONIStore.inMemory()
            do {
                try store.importProbe(path: fixture.path)
            } catch let error as OONIStoreError where error.code == .notReadable {
                refused += 1
                #expect(try lines(store).count == 1)
            }
            let findings = try store.read { try store.verify(in: $0) }
            #expect(findings.isEmpty, "\(findings)")
        }
        #expect(refused > 0 && refused < inputs)
    }

    @Test("Lines with any bytes are imported whole, or refused whole")
    mutating func damagedLines() throws {
        let source = try OONIStore.inMemory()
        try source.importProbe(path: ProbeFixture(in: directory, version: 21).path)
        let whole = try lines(source)
        var refused = 0
        for _ in 0..<inputs {
            var damaged = whole
            let place = random.below(damaged.count)
            damaged[place] = mutated(damaged[place])
            let store = try OONIStore.inMemory()
            do {
                try store.importLines(damaged)
                let findings = try store.read { try store.verify(in: $0) }
                #expect(findings.isEmpty, "\(findings)")
            } catch let error as OONIStoreError {
                refused += 1
                #expect([.invalidLine, .newerVersion].contains(error.code))
                #expect(try lines(store).count == 1)
            }
        }
        #expect(refused > 0 && refused < inputs)
    }

    @Test("Descriptors with any bytes are read, or refused")
    mutating func descriptors() throws {
        let json = #"""
            [{"oonirun_link_id": "10004", "name": "Festival", "nettests": [{"test_name": "tor",
            "inputs": ["https://one.example/"], "options": {"b": 1.5}}], "name_intl": {"de": "F"},
            "expiration_date": "2031-02-03T04:05:06.789123Z", "revision": "3"}]
            """#
        var refused = 0
        for _ in 0..<inputs {
            do {
                let read = try OONIStore.TestDescriptor.read(json: mutated(json))
                let store = try OONIStore.inMemory()
                try store.write { try store.descriptors.save(read.descriptors, in: $0) }
            } catch let error as OONIStoreError where error.code == .invalidDescriptor {
                refused += 1
            }
        }
        #expect(refused > 0 && refused < inputs)
    }

    private mutating func mutated(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...random.below(2) {
            let place = random.below(bytes.count)
            switch random.below(3) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: place)
            default: bytes[place] = random.pick(Array("0123456789\"{}[],:-e".utf8))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
