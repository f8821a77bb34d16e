import Foundation
import SQLCore
import SQLPlus
import SampleData
import StoreTestSupport
import Testing

/// The files that a crash would leave: a database, and a WAL with ten transactions.
struct LeftoverWAL {
    static let transactions = 10
    static let pageSize = 1024
    static let frameSize = pageSize + 24

    let key: EncryptionKey
    let main: [UInt8]
    let wal: [UInt8]

    /// - Parameter cache: A small cache makes SQLite write pages to the WAL more than once in a
    ///   transaction.
    init(
        _ directory: TemporaryDirectory, _ name: String, key: EncryptionKey, cache: Int = 5
    ) throws {
        self.key = key
        let path = directory(name)
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.exec(
            sql: """
                PRAGMA page_size = \(Self.pageSize); PRAGMA journal_mode = wal;
                PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = \(cache);
                CREATE TABLE t (i INTEGER PRIMARY KEY, n, v); CREATE INDEX x ON t (v);
                PRAGMA wal_checkpoint(truncate)
                """)
        for number in 1...Self.transactions {
            try context.transaction(.immediate) {
                try context.exec(
                    sql: """
                        WITH RECURSIVE n(i) AS
                            (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
                        INSERT INTO t (n, v) SELECT 0, printf('%0200d', i * 7919 % 1000) FROM n
                        """)
                try context.exec(sql: "UPDATE t SET n = \(number)")
            }
        }
        for suffix in ["", "-wal"] {
            try FileCopy.copy(path + suffix, directory("left-" + name) + suffix)
        }
        try context.close()
        main = try FileCopy.bytes(directory("left-" + name))
        wal = try FileCopy.bytes(directory("left-" + name) + "-wal")
    }

    /// The rows after a number of transactions.
    static func state(_ count: Int) -> Outcome {
        .text(count == 0 ? "0 nil nil" : "\(5 * count) \(count) \(count)")
    }
    static let states = (0...transactions).map(state)

    var frameCount: Int { (wal.count - 32) / Self.frameSize }

    static func frame(_ number: Int) -> Range<Int> {
        32 + number * frameSize..<32 + (number + 1) * frameSize
    }

    /// The number of complete transactions in a number of frames.
    func committed(frames: Int) -> Int {
        (0..<frames).count { wal.word(Self.frame($0).lowerBound + 4) != 0 }
    }

    /// The result of reading with another WAL.
    func outcome(
        _ directory: TemporaryDirectory, _ wal: [UInt8], main: [UInt8]? = nil,
        key: EncryptionKey? = nil
    ) throws -> Outcome {
        let path = directory("changed.db")
        try? FileManager.default.removeItem(atPath: path + "-shm")
        try FileCopy.write(main ?? self.main, path)
        try FileCopy.write(wal, path + "-wal")
        let context = try SQLContext(path: path, configuration: .plus(key: key ?? self.key))
        let found = Outcome {
            let row = try context.selectAll(sql: "SELECT count(*), min(n), max(n) FROM t")[0]
            let check = try context.selectAll(sql: "PRAGMA integrity_check")
            guard check == [[.text("ok")]] else { return "integrity_check: \(check)" }
            return row.map { $0.longValue.map(String.init) ?? "nil" }.joined(separator: " ")
        }
        // Closing checkpoints the WAL, which can report the same error again.
        try? context.close()
        return found
    }
}

extension [UInt8] {
    /// Four bytes, big-endian.
    func word(_ place: Int) -> UInt32 {
        withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        }
    }

    mutating func setWord(_ place: Int, _ value: UInt32) {
        for index in 0..<4 {
            self[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
        }
    }

    /// Continues the checksum of a WAL over a range of bytes.
    func walChecksum(_ before: (UInt32, UInt32), _ range: Range<Int>) -> (UInt32, UInt32) {
        var (first, second) = before
        let isBig = self[3] & 1 == 1
        withUnsafeBytes { bytes in
            var place = range.lowerBound
            while place < range.upperBound {
                let one = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                let two = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                first = first &+ (isBig ? one.byteSwapped : one) &+ second
                second = second &+ (isBig ? two.byteSwapped : two) &+ first
                place += 8
            }
        }
        return (first, second)
    }

    /// Changes by an attacker without the key who recomputes the checksums of a WAL.
    mutating func fixWAL(pageSize: Int = LeftoverWAL.pageSize) {
        var sum = walChecksum((0, 0), 0..<24)
        setWord(24, sum.0)
        setWord(28, sum.1)
        var place = 32
        while place + 24 + pageSize <= count {
            replaceSubrange(place + 8..<place + 16, with: self[16..<24])
            sum = walChecksum(sum, place..<place + 8)
            sum = walChecksum(sum, place + 24..<place + 24 + pageSize)
            setWord(place + 16, sum.0)
            setWord(place + 20, sum.1)
            place += 24 + pageSize
        }
    }
}

@Suite("WALs that were tampered with")
struct WALTamperTests {
    let directory: TemporaryDirectory
    let left: LeftoverWAL

    init() throws {
        directory = try TemporaryDirectory()
        left = try LeftoverWAL(directory, "a.db", key: .random())
    }

    /// A random location in a WAL: frame and byte.
    private func randomPosition(_ random: inout SeededGenerator, _ area: Range<Int>) -> (Int, Int) {
        let frame = random.below(left.frameCount)
        let start = LeftoverWAL.frame(frame).lowerBound + area.lowerBound
        return (frame, start + random.below(area.count))
    }

    @Test("a WAL that was left is read to its end; the checksums are SQLite's")
    func unchanged() throws {
        #expect(left.committed(frames: left.frameCount) == 10)
        #expect(left.frameCount > 100, "\(left.frameCount)")
        #expect(try left.outcome(directory, left.wal) == LeftoverWAL.state(10))
        var repaired = left.wal
        repaired.fixWAL()
        #expect(repaired == left.wal)
        #expect(try left.outcome(directory, []) == LeftoverWAL.state(0))
    }

    @Test("the WAL ends at a flipped bit, as in SQLite")
    func flippedBits() throws {
        var random = SeededGenerator(for: "bits of a log")
        let areas = [0..<4, 4..<8, 8..<16, 16..<24, 24..<1048 - 80, 1048 - 80..<1048]
        for number in 0..<150 {
            let (frame, place) = randomPosition(&random, areas[number % areas.count])
            var changed = left.wal
            changed[place] ^= 1 << random.below(8)
            let expected = LeftoverWAL.state(left.committed(frames: frame))
            #expect(
                try left.outcome(directory, changed) == expected, "frame \(frame), byte \(place)")
        }
    }

    @Test("a flipped bit in a page with corrected checksums is an error")
    func repairedBits() throws {
        var random = SeededGenerator(for: "repaired bits of a log")
        let areas = [0..<4, 24..<1048 - 80, 1048 - 80..<1048 - 64, 1048 - 64..<1048]
        for number in 0..<100 {
            let (frame, place) = randomPosition(&random, areas[number % areas.count])
            var changed = left.wal
            changed[place] ^= 1 << random.below(8)
            changed.fixWAL()
            let page = Int(changed.word(LeftoverWAL.frame(frame).lowerBound))
            let found = try left.outcome(directory, changed)
            let expected =
                page == 1 || frame == 0 ? Outcome.notADatabase : .tampered(page)
            #expect(found == expected, "frame \(frame), byte \(place)")
        }
    }

    @Test("a truncated WAL contains its complete transactions")
    func cut() throws {
        var random = SeededGenerator(for: "cut logs")
        var lengths = Array(0...40) + [55, 56, 57, 1079, 1080, 1081]
        for _ in 0..<15 {
            let frame = LeftoverWAL.frame(random.below(left.frameCount))
            lengths += [
                frame.lowerBound, frame.lowerBound + 1 + random.below(23), frame.lowerBound + 24,
                frame.lowerBound + 25 + random.below(1000), frame.upperBound - 1,
            ]
        }
        for length in lengths {
            let frames = max(0, length - 32) / LeftoverWAL.frameSize
            #expect(
                try left.outcome(directory, Array(left.wal.prefix(length)))
                    == LeftoverWAL.state(left.committed(frames: frames)), "\(length) bytes")
        }
    }

    @Test("the WAL ends where frames were swapped, dropped or repeated")
    func reordered() throws {
        var random = SeededGenerator(for: "reordered logs")
        for number in 0..<60 {
            let first = random.below(left.frameCount - 1)
            let second = first + 1 + random.below(left.frameCount - first - 1)
            var changed = left.wal
            switch number % 3 {
            case 0:
                changed.replaceSubrange(
                    LeftoverWAL.frame(first), with: left.wal[LeftoverWAL.frame(second)])
                changed.replaceSubrange(
                    LeftoverWAL.frame(second), with: left.wal[LeftoverWAL.frame(first)])
            case 1: changed.removeSubrange(LeftoverWAL.frame(first))
            default:
                changed.replaceSubrange(
                    LeftoverWAL.frame(first), with: left.wal[LeftoverWAL.frame(second)])
            }
            let expected = LeftoverWAL.state(left.committed(frames: first))
            #expect(try left.outcome(directory, changed) == expected, "\(first), \(second)")
        }
    }

    @Test("pages swapped between frames with corrected checksums are an error")
    func swappedPages() throws {
        var random = SeededGenerator(for: "swapped pages of a log")
        for _ in 0..<50 {
            let (first, second) = (random.below(left.frameCount), random.below(left.frameCount))
            let places = [first, second].map { LeftoverWAL.frame($0) }
            let numbers = places.map { left.wal.word($0.lowerBound) }
            guard numbers[0] != numbers[1] else { continue }
            var changed = left.wal
            for (to, from) in [(0, 1), (1, 0)] {
                let page = places[from].lowerBound + 24..<places[from].upperBound
                changed.replaceSubrange(
                    places[to].lowerBound + 24..<places[to].upperBound, with: left.wal[page])
            }
            changed.fixWAL()
            let frame = min(first, second)
            let page = Int(changed.word(LeftoverWAL.frame(frame).lowerBound))
            let expected =
                page == 1 || frame == 0 ? Outcome.notADatabase : .tampered(page)
            #expect(try left.outcome(directory, changed) == expected, "\(first), \(second)")
        }
    }

    @Test("dropping the last transactions with corrected checksums is not detected")
    func dropped() throws {
        for count in 0...10 {
            let frames = (0...left.frameCount).first { left.committed(frames: $0) == count } ?? 0
            var changed = Array(left.wal.prefix(32 + frames * LeftoverWAL.frameSize))
            changed.fixWAL()
            #expect(try left.outcome(directory, changed) == LeftoverWAL.state(count))
        }
    }
}

// Headers, WALs of other databases, WALs of open databases.
extension WALTamperTests {
    @Test("with a flipped bit in its header a WAL is not read, or is an error")
    func flippedHeader() throws {
        for place in 0..<32 {
            for bit in [0, 3, 4, 7] {
                var changed = left.wal
                changed[place] ^= 1 << bit
                let found = try left.outcome(directory, changed)
                #expect(found == LeftoverWAL.state(0), "byte \(place), bit \(bit)")
            }
        }
    }

    @Test(
        "a header with another page size is an error, or its WAL is not read",
        arguments: [
            0, 1, 512, 1000, 2048, 4096, 65_536, 131_072, 0xFFFF_FFFF,
        ])
    func otherPageSize(size: UInt32) throws {
        for isRepaired in [false, true] {
            var changed = left.wal
            changed.setWord(8, size)
            if isRepaired {
                let sum = changed.walChecksum((0, 0), 0..<24)
                changed.setWord(24, sum.0)
                changed.setWord(28, sum.1)
            }
            let found = try left.outcome(directory, changed)
            let truncated = Outcome.failed(
                .corrupt, .truncated(bytes: left.main.count, pageSize: Int(size)))
            #expect(
                [LeftoverWAL.state(0), .notADatabase, truncated].contains(found),
                "\(size), \(isRepaired): \(found)")
        }
    }

    @Test("a WAL with the other byte order in its checksums is read")
    func otherByteOrder() throws {
        var changed = left.wal
        changed[3] ^= 1
        changed.fixWAL()
        #expect(try left.outcome(directory, changed) == LeftoverWAL.state(10))
    }

    @Test("the WAL of another database, or with another key, is an error")
    func otherWAL() throws {
        let raw = [UInt8](repeating: 9, count: 32)
        let first = try LeftoverWAL(directory, "1.db", key: EncryptionKey(raw: raw))
        let second = try LeftoverWAL(directory, "2.db", key: EncryptionKey(raw: raw))
        // The same key, another salt; then another key.
        #expect(try first.outcome(directory, second.wal) == .notADatabase)
        #expect(try second.outcome(directory, first.wal) == .notADatabase)
        #expect(try first.outcome(directory, left.wal) == .notADatabase)
        #expect(try first.outcome(directory, first.wal, key: left.key) == .notADatabase)
        #expect(try first.outcome(directory, first.wal, main: left.main) == .notADatabase)
    }

    @Test("a plain WAL beside an encrypted database is an error, and is not applied")
    func plainLog() throws {
        let path = directory("plain.db")
        let context = try SQLContext(path: path)
        try context.exec(
            sql: """
                PRAGMA page_size = 1024; PRAGMA journal_mode = wal;
                CREATE TABLE t (i INTEGER PRIMARY KEY, n, v);
                INSERT INTO t VALUES (1, 99, 'forged')
                """)
        try FileCopy.copy(path + "-wal", directory("forged"))
        try context.close()
        #expect(
            try left.outcome(directory, FileCopy.bytes(directory("forged"))) == .notADatabase)
    }

    @Test("commit marks are not authenticated, as in SQLCipher: one can be set")
    func commitMarks() throws {
        let frames = 0..<left.frameCount
        let commits = frames.filter { left.wal.word(LeftoverWAL.frame($0).lowerBound + 4) != 0 }
        // Removed: two transactions become one.
        var joined = left.wal
        joined.setWord(LeftoverWAL.frame(commits[4]).lowerBound + 4, 0)
        joined.fixWAL()
        #expect(try left.outcome(directory, joined) == LeftoverWAL.state(10))
        // Set within the last one: pages are old and new, each of them intact.
        var cut = Array(left.wal.prefix(LeftoverWAL.frame(commits[9] - 3).upperBound))
        let size = left.wal.word(LeftoverWAL.frame(commits[9]).lowerBound + 4)
        cut.setWord(cut.count - LeftoverWAL.frameSize + 4, size)
        cut.fixWAL()
        let found = try left.outcome(directory, cut)
        #expect(found != LeftoverWAL.state(10))
        // Some rows have the value of the previous transaction, or of the truncated one.
        #expect(found != LeftoverWAL.state(9), "\(found)")
    }

    private func readFirst(_ path: String) throws -> Outcome {
        let reader = try SQLContext(path: path, configuration: .plus(key: left.key))
        let found = Outcome { try reader.selectValue(sql: "SELECT v FROM a")?.textValue ?? "nil" }
        try reader.close()
        return found
    }

    @Test("frames that are swapped under an open database are detected")
    func swappedWhileOpen() throws {
        let path = directory("open.db")
        let context = try SQLContext(path: path, configuration: .plus(key: left.key))
        try context.exec(
            sql: """
                PRAGMA page_size = 1024; PRAGMA journal_mode = wal;
                CREATE TABLE a (v); CREATE TABLE b (v);
                INSERT INTO a VALUES ('first'); INSERT INTO b VALUES ('second')
                """)
        try FileCopy.copy(path + "-wal", directory("copy"))
        var wal = try FileCopy.bytes(directory("copy"))
        let last = (wal.count - 32) / LeftoverWAL.frameSize - 1
        let pages = [last - 1, last].map { wal.word(LeftoverWAL.frame($0).lowerBound) }
        #expect(pages == [2, 3])
        let frames = [last - 1, last].map { Array(wal[LeftoverWAL.frame($0)]) }
        wal.replaceSubrange(LeftoverWAL.frame(last - 1), with: frames[1])
        wal.replaceSubrange(LeftoverWAL.frame(last), with: frames[0])
        try FileCopy.write(wal, directory("copy"))
        #expect(try readFirst(path) == .text("first"))
        try FileCopy.copy(directory("copy"), path + "-wal")
        let found = try readFirst(path)
        #expect(found == .text("first") || found == .tampered(2), "\(found)")
        try? context.close()
    }
}
