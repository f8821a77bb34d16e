import Dispatch
import EngineTestSupport
import FleeceLite
import SQLCore
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import StoreFormat

/// A wall clock that is set by the test, in nanoseconds since 1970.
final class HandClock: Sendable {
    private let time: Locked<UInt64>

    init(_ time: UInt64) {
        self.time = Locked(time)
    }

    var now: UInt64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    static let second: UInt64 = 1_000_000_000
    static let year: UInt64 = 31_557_600 * second
}

@Suite("HybridClock")
struct HybridClockTests {
    @Test("times increase while the wall clock stands still or goes back")
    func monotonic() throws {
        let readings: [UInt64] = [0x18E9_0001_0000, 0x18E9_0001_1234, 0x18E8_0000_0000]
        let wall = HandClock(0)
        let clock = HybridClock { wall.now << 4 }
        let times = try [0, 1, 2, 2, 2].map { index in
            wall.now = readings[index]
            return try #require(clock.next(after: nil)).rawValue
        }
        #expect(
            times == [
                0x1_8E90_0010_0000, 0x1_8E90_0011_0000, 0x1_8E90_0011_0001, 0x1_8E90_0011_0002,
                0x1_8E90_0011_0003,
            ])
    }

    private static let now: UInt64 = 0x18E9_F0B7_9F01_0000

    @Test("a time within the next five years is used for its document only")
    func future() {
        let clock = HybridClock { Self.now }
        let future = LogicalTime(rawValue: Self.now + 5 * HandClock.year)
        #expect(clock.latestPlausible == future)
        #expect(clock.next(after: future)?.rawValue == future.rawValue + 1)
        #expect(clock.next(after: nil)?.rawValue == Self.now + 1)
    }

    @Test("a time more than five years ahead, or the last possible time, is ignored")
    func endOfTime() {
        let clock = HybridClock { Self.now }
        let times: [UInt64] = [
            Self.now + 5 * HandClock.year + 1, 0x7000_0000_0000_0000, 0x7FFF_FFFF_FFFF_FFFE,
            0x7FFF_FFFF_FFFF_FFFF, .max,
        ]
        for (index, time) in times.enumerated() {
            let next = clock.next(after: LogicalTime(rawValue: time))
            #expect(next?.rawValue == Self.now + UInt64(index))
        }
    }

    @Test("the latest plausible time of a vector is followed, legacy ones are ignored")
    func vectors() throws {
        let clock = HybridClock { Self.now }
        let soon = Self.now + HandClock.year
        let text =
            "7fffffffffffffff@*, \(String(soon, radix: 16))@AAAAAAAAAAAAAAAAAAAAEA; "
            + "1a00000000000000@Revision+Tree+Encoding"
        let vector = try VersionVector(text: text)
        #expect(clock.next(afterAllOf: vector)?.rawValue == soon + 1)
        let later = try VersionVector(text: "\(String(soon + 9, radix: 16))@*")
        #expect(clock.next(afterAllOf: vector, later)?.rawValue == soon + 10)
        #expect(clock.next(afterAllOf: nil, later)?.rawValue == soon + 10)
        #expect(clock.next(afterAllOf: nil)?.rawValue == Self.now + 3)
    }

    @Test("a bound that is years ahead is ignored, and one that has become so is replaced")
    func implausibleBounds() throws {
        let wall = HandClock(Self.now)
        let clock = HybridClock { wall.now }
        clock.start(after: LogicalTime(rawValue: 0x7FFF_FFFF_FFFF_F000))
        #expect(clock.next(after: nil)?.rawValue == Self.now)
        #expect(clock.needsBound)
        let stored = LogicalTime(rawValue: 0x7FFF_FFFF_FFFF_F000)
        #expect(clock.newBound(over: stored).rawValue == Self.now + HandClock.second)
        // A write while the wall clock was wrong.
        wall.now = Self.now + 100 * HandClock.year
        let wrong = try #require(clock.next(after: nil)).rawValue
        #expect(wrong == wall.now & ~0xFFFF)
        let bound = clock.newBound(over: nil)
        clock.recordBound(bound)
        wall.now = Self.now + HandClock.second
        #expect(clock.next(after: nil)?.rawValue == (Self.now + HandClock.second) & ~0xFFFF)
        #expect(clock.needsBound)
        let fixed = clock.newBound(over: bound)
        #expect(fixed < LogicalTime(rawValue: Self.now + HandClock.year))
        clock.recordBound(fixed)
        #expect(!clock.needsBound)
    }

    @Test("a wall clock that was never set does not make times before 2031 implausible")
    func unsetClock() {
        let clock = HybridClock { 0 }
        #expect(clock.next(after: LogicalTime(rawValue: Self.now))?.rawValue == Self.now + 1)
        #expect(clock.latestPlausible.year == 2031 || clock.latestPlausible.year == 2030)
    }

    @Test("a wall clock set past the last valid time does no lasting harm")
    func beyondTheEnd() {
        let wall = HandClock(.max)
        let clock = HybridClock { wall.now }
        #expect(clock.next(after: nil) == nil)
        wall.now = 0x18E9_F0B7_9F01_0000
        #expect(clock.next(after: nil)?.rawValue == 0x18E9_F0B7_9F01_0000)
    }

    @Test("a wall clock that was never set gives the first valid times")
    func unset() {
        let clock = HybridClock { 0 }
        #expect(clock.next(after: nil)?.rawValue == 0x100_0000_0001)
        #expect(clock.next(after: nil)?.rawValue == 0x100_0000_0002)
    }

    @Test("a bound is a second ahead, and only slightly ahead of a clock that is itself ahead")
    func bounds() throws {
        let wall = HandClock(0x18E9_F0B7_9F01_0000)
        let clock = HybridClock { wall.now }
        clock.start(after: nil)
        _ = clock.next(after: nil)
        let last = try #require(clock.next(after: nil)).rawValue
        let bound = clock.newBound(over: nil)
        #expect(bound.rawValue == last + HandClock.second)
        #expect(clock.needsBound)
        clock.recordBound(bound)
        #expect(!clock.needsBound)
        // Another process has set a later one.
        let later = LogicalTime(rawValue: bound.rawValue + 5)
        #expect(clock.newBound(over: later) == later)
        // The wall clock goes back an hour.
        wall.now -= 3600 * HandClock.second
        let time = try #require(clock.next(after: nil)).rawValue
        #expect(clock.newBound(over: nil).rawValue == time + 1_000_000)
        // An invalid time is ignored.
        #expect(clock.newBound(over: LogicalTime(rawValue: .max)).rawValue == time + 1_000_000)
        clock.start(after: LogicalTime(rawValue: .max))
        #expect(clock.next(after: nil)?.rawValue == time + 1)
    }
}

@Suite("The clock of a file")
struct FileClockTests {
    private let fixture: StoreFixture
    private let wall = HandClock(1_800_000_000 * HandClock.second)

    init() throws {
        fixture = try StoreFixture()
    }

    private func open() throws -> DataFile {
        var options = DataFileOptions(access: .readWrite)
        let wall = wall
        options.wallClock = { wall.now }
        return try DataFile(path: fixture.path, options: options)
    }

    private func save(_ id: String, in file: DataFile) throws -> UInt64 {
        try time(try fixture.save(id, "{}", in: file))
    }

    private func time(_ saved: DocumentCollection.Saved) throws -> UInt64 {
        guard case .vector(let vector) = saved.revisionID else { throw StoreError.lostRow("") }
        return vector.first.time.rawValue
    }

    private func bound() throws -> UInt64? {
        try fixture.sqlite()
            .selectValue(sql: "SELECT body FROM kv_info WHERE key = 'hybridClock'")?
            .bytesValue.flatMap(BigEndian.number)
    }

    @Test("a file that was only created has no bound, and a second of saves writes one")
    func lease() throws {
        #expect(try bound() == nil)
        let file = try open()
        let first = try save("a", in: file)
        #expect(try bound() == first + HandClock.second)
        wall.now += HandClock.second / 2
        _ = try save("b", in: file)
        #expect(try bound() == first + HandClock.second)
        wall.now += HandClock.second / 2 + 0x1_0000
        let last = try save("c", in: file)
        #expect(try bound() == last + HandClock.second)
        file.close()
    }

    @Test("deletions, purges and raw records follow the same rules")
    func otherWrites() throws {
        let file = try open()
        _ = try file.write { try KeyStore(.init("local")).create(in: $0) }
        #expect(try bound() == nil)
        _ = try save("a", in: file)
        wall.now += 2 * HandClock.second
        let deleted = try #require(try file.write { try fixture.people.delete("a", in: $0) })
        #expect(try bound() == time(deleted) + HandClock.second)
        let before = try bound()
        wall.now += 2 * HandClock.second
        _ = try file.write { try fixture.people.purge("a", in: $0) }
        #expect(try bound() == before)
        file.close()
    }

    @Test(
        "times increase across restarts, wherever the wall clock is then",
        arguments: [
            0, -Int64(HandClock.year), Int64(4 * HandClock.year), 1,
        ])
    func restarts(step: Int64) throws {
        var last: UInt64 = 0
        for round in 0..<12 {
            let file = try open()
            for index in 0..<3 {
                let time = try save("doc-\(index)", in: file)
                #expect(time > last, "round \(round)")
                last = time
            }
            file.close()
            // There, and back again.
            let sign: Int64 = round % 2 == 0 ? 1 : -1
            wall.now = UInt64(Int64(wall.now) + sign * step)
        }
        #expect(try #require(try bound()) > last)
    }

    @Test("a hundred restarts do not move the clock away from the wall clock")
    func drift() throws {
        var last: UInt64 = 0
        for _ in 0..<100 {
            let file = try open()
            last = try save("a", in: file)
            file.close()
        }
        #expect(last < wall.now + HandClock.second + 100 * 1_000_001)
    }

    @Test("the bound of a failed transaction is written by the next one")
    func abandoned() throws {
        struct Abandoned: Error {}
        let file = try open()
        #expect(throws: Abandoned.self) {
            try file.write { transaction in
                _ = try fixture.people.save("a", in: transaction) { try $0.writeJSON("{}") }
                throw Abandoned()
            }
        }
        #expect(try bound() == nil)
        let time = try save("a", in: file)
        #expect(try #require(try bound()) > time)
        file.close()
    }

    @Test("two processes with clocks an hour apart never give a document an earlier time")
    func twoProcesses() throws {
        // A separate handle to the same file, as in another process.
        let other = HandClock(wall.now - 3600 * HandClock.second)
        let clocks = [HybridClock { [wall] in wall.now }, HybridClock { other.now }]
        var stored: LogicalTime?
        var document: LogicalTime?
        for turn in 0..<200 {
            let clock = clocks[turn % 3 == 0 ? 1 : 0]
            if !clock.hasStarted { clock.start(after: stored) }
            let time = try #require(clock.next(after: document))
            #expect(time > document ?? .zero)
            document = time
            if clock.needsBound {
                let bound = clock.newBound(over: stored)
                #expect(bound >= stored ?? .zero)
                stored = bound
                clock.recordBound(bound)
            }
            wall.now += 30_000_000
            other.now += 30_000_000
        }
    }

    @Test("a wall clock that was temporarily a century ahead does not affect later versions")
    func wrongForAWhile() throws {
        let right = wall.now
        wall.now = right + 100 * HandClock.year
        var file = try open()
        let wrong = try save("a", in: file)
        #expect(wrong >= wall.now & ~0xFFFF)
        // The clock is set while the file is open.
        wall.now = right
        #expect(try save("b", in: file) < right + HandClock.year)
        #expect(try save("a", in: file) < right + HandClock.year)
        #expect(try #require(try bound()) < right + HandClock.year)
        wall.now = right + 100 * HandClock.year
        _ = try save("c", in: file)
        file.close()
        // And while it is closed.
        wall.now = right + HandClock.second
        file = try open()
        #expect(try save("c", in: file) < right + HandClock.year)
        #expect(try save("d", in: file) < right + HandClock.year)
        #expect(try #require(try bound()) < right + HandClock.year)
        file.close()
    }

    @Test("a bound that is damaged or years ahead is ignored and replaced")
    func damaged() throws {
        for body in [
            "x'00'", "x''", "NULL", "x'FFFFFFFFFFFFFFFF'", "x'0000000000000001'",
            "x'7FFFFFFFFFFFFFFF'", "x'7FFFFFFFFFFFF000'", "x'7000000000000000'",
        ] {
            try fixture.sqlite().exec(
                sql: "INSERT OR REPLACE INTO kv_info (key, body) VALUES ('hybridClock', \(body))")
            let file = try open()
            let time = try save("a", in: file)
            #expect(time >> 40 == wall.now >> 40, "\(body)")
            #expect(try bound() == time + HandClock.second, "\(body)")
            file.close()
            wall.now += HandClock.year / 12
        }
    }

    @Test("an in-memory database has a clock, and a read-only file is not changed")
    func otherFiles() throws {
        var options = DataFileOptions(access: .readWrite)
        let wall = wall
        options.wallClock = { wall.now }
        let memory = try DataFile(inMemory: options)
        let times = try (0..<3).map { _ in try save("a", in: memory) }
        #expect(times == times.sorted() && Set(times).count == 3)
        memory.close()
        let file = try open()
        let last = try save("a", in: file)
        file.close()
        let reader = try fixture.open(.readOnly)
        let read = try reader.read { try fixture.people.get("a", in: $0)?.revisionID }
        #expect(read?.description == "\(String(last, radix: 16))@*")
        reader.close()
    }

    @Test("only the engine writes the bound")
    func reserved() throws {
        let file = try open()
        #expect(throws: StoreError.self) {
            try file.write { transaction in
                try KeyStore(.info).putRaw(
                    RawRecord(body: [1]), for: "hybridClock", in: transaction)
            }
        }
        file.close()
    }
}

@Suite("A clock that several threads use")
struct SharedClockTests {
    @Test("no time is assigned twice, and each thread sees increasing times")
    func threads() {
        let clock = HybridClock(wallClock: { 1_700_000_000_000_000_000 })
        let all = Locked<[LogicalTime]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let times = (0..<5000).compactMap { _ in clock.next(after: nil) }
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            all.withLock { $0 += times }
        }
        let times = all.withLock { $0 }
        #expect(times.count == 8 * 5000)
        #expect(Set(times).count == times.count)
    }
}
