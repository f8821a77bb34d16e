import SampleData
import Testing

@testable import DataFileCore

@Suite("VersionVector")
struct VersionVectorTests {
    @Test(
        "a stored version has the text that LiteCore prints",
        arguments: [
            // Bytes and texts of golden/litecore/sample_vectors_503 and its cblite listing.
            (
                [0x00, 0x87, 0x80, 0x88, 0xF0, 0xF3, 0xAD, 0xF8, 0xE9, 0x31, 0x80],
                "18e9f0b79f010003@*"
            ),
            ([0x00, 0xFC, 0xFB, 0xBC, 0x8B, 0xBE, 0xBA, 0x0C, 0x80], "18e9f0b79efe0000@*"),
        ] as [([UInt8], String)])
    func knownVersions(bytes: [UInt8], text: String) throws {
        let vector = try VersionVector(binary: bytes)
        #expect(vector.currentText == text)
        #expect(vector.binary == bytes)
        #expect(try RevisionID(binary: bytes).description == text)
    }

    @Test("vectors of several peers survive being written and read", arguments: 1...50)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let versions = (0...random.below(6)).map { index -> VersionVector.Version in
            let high = UInt64(random.below(0x3FFF_0000_0000)) + 0x100_0000
            let counter = random.below(3) == 0 ? UInt64(random.below(0x1_0000)) : 0
            let id = (0..<16).map { _ in UInt8(random.below(256)) }
            return VersionVector.Version(
                time: LogicalTime(rawValue: high << 16 | counter),
                source: random.below(4) == 0 ? .local : .peer(id), isCurrent: index == 0)
        }
        let vector = VersionVector(versions: versions)
        #expect(try VersionVector(binary: vector.binary) == vector)
    }

    @Test("a change puts this database first and keeps the other peers")
    func adding() throws {
        let peer = [UInt8](0..<16)
        let old = VersionVector(versions: [
            .init(
                time: LogicalTime(rawValue: 0x2_0000_0000_0000), source: .peer(peer),
                isCurrent: true),
            .init(
                time: LogicalTime(rawValue: 0x1_0000_0000_0000), source: .local, isCurrent: false),
        ])
        let new = old.adding(localTime: LogicalTime(rawValue: 0x3_0000_0000_0000))
        #expect(
            new.versions.map(\.description)
                == ["3000000000000@*", "2000000000000@AAECAwQFBgcICQoLDA0ODw"])
        #expect(new.versions.map(\.isCurrent) == [true, false])
    }

    @Test("no cut or change of a vector's bytes traps")
    func damaged() throws {
        let whole = VersionVector(versions: [
            .init(
                time: LogicalTime(rawValue: 0x18E9_F0B7_9F01_0003), source: .local,
                isCurrent: true),
            .init(
                time: LogicalTime(rawValue: 0x18E9_F0B7_9F00_0000),
                source: .peer(Array(repeating: 7, count: 16)), isCurrent: false),
        ]).binary
        for count in 0..<whole.count {
            // One version alone is a vector too.
            let isWhole = (try? VersionVector(binary: Array(whole.prefix(count)))) != nil
            #expect(isWhole == (count == 11), "\(count) bytes")
        }
        for index in whole.indices {
            for bit in 0..<8 {
                var bytes = whole
                bytes[index] ^= 1 << bit
                _ = try? VersionVector(binary: bytes)
            }
        }
        #expect(throws: StoreError.self) { try VersionVector(binary: [0]) }
        #expect(throws: StoreError.self) { try VersionVector(binary: [0, 0x02, 0x80]) }
    }
}

@Suite("HybridClock")
struct HybridClockTests {
    @Test("times go on rising while the wall clock stands still or goes back")
    func monotonic() throws {
        let readings: [UInt64] = [0x18E9_0001_0000, 0x18E9_0001_1234, 0x18E8_0000_0000]
        let next = Counter()
        let clock = HybridClock { readings[min(next.increment(), 2)] << 4 }
        let times = try (0..<5).map { _ in try #require(clock.next(after: nil)).rawValue }
        #expect(
            times == [
                0x1_8E90_0010_0000, 0x1_8E90_0011_0000, 0x1_8E90_0011_0001, 0x1_8E90_0011_0002,
                0x1_8E90_0011_0003,
            ])
    }

    @Test("a document from the future is followed, and does not move the clock")
    func future() {
        let clock = HybridClock { 0x18E9_F0B7_9F01_0000 }
        let future = LogicalTime(rawValue: 0x7000_0000_0000_0000)
        #expect(clock.next(after: future)?.rawValue == 0x7000_0000_0000_0001)
        #expect(clock.next(after: nil)?.rawValue == 0x18E9_F0B7_9F01_0001)
    }

    @Test("at the end of time there is no next one")
    func endOfTime() {
        let clock = HybridClock { 0x18E9_F0B7_9F01_0000 }
        #expect(clock.next(after: LogicalTime(rawValue: 0x7FFF_FFFF_FFFF_FFFF)) == nil)
        #expect(clock.next(after: LogicalTime(rawValue: .max)) != nil)
    }

    /// Counts calls from a `Sendable` closure.
    final class Counter: @unchecked Sendable {
        private var count = 0
        func increment() -> Int {
            defer { count += 1 }
            return count
        }
    }
}
