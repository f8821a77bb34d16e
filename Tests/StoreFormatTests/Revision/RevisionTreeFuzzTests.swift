import Foundation
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

/// Trees whose bytes were changed, and bytes that only look like trees.
///
/// `STORE_FUZZ_INPUTS` is the number of inputs, `STORE_SEED` the first seed.
@Suite("RevisionTree: hostile bytes", .timeLimit(.minutes(20)))
struct RevisionTreeFuzzTests {
    @Test("are an error, or a tree that supports all changes; nothing traps")
    func mutations() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        print("RevisionTreeFuzzTests: \(count) inputs from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        var valid = 0
        for number in 0..<count {
            var bytes = Self.tree(&random)
            if number % 16 > 0 { Self.damage(&bytes, &random) }
            let record = Self.record(bytes, &random)
            _ = record.layout
            _ = record.currentBody
            _ = try? RevisionTree(record)
            _ = try? RevisionID(binary: Array(bytes.dropFirst(8).prefix(random.below(24))))
            do {
                var tree = try RevisionTree(binary: bytes)
                valid += 1
                #expect(tree.binary == bytes, "input \(number)")
                try Self.use(&tree, &random)
            } catch let error as StoreError where error.has(.corruptRevisionData) {
                #expect(number % 16 > 0, "input \(number): \(error)")
            }
        }
        print("RevisionTreeFuzzTests: \(valid) of \(count) are trees")
        #expect(valid > count / 16 && valid < count)
    }

    /// A tree as an engine writes it, or nearly so.
    private static func tree(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        let count = 1 + random.below(6)
        for index in 0..<count {
            let digest = (0..<random.pick([1, 2, 16, 20])).map { _ in UInt8(random.below(256)) }
            let body = random.below(3) == 0 ? [0x70, 0x00] as [UInt8] : []
            let parent = index + 1 < count ? UInt8(index + 1) : 0xFF
            var flags = UInt8(random.below(128))
            if !body.isEmpty { flags |= 0x80 }
            var record: [UInt8] = [parent == 0xFF ? 0xFF : 0, parent, flags]
            record += [UInt8(digest.count + 1), UInt8(count - index)] + digest
            record += random.below(8) == 0 ? [0x81, 0x00] : [UInt8(random.below(128))]
            record += body
            bytes += [0, 0, 0, UInt8(record.count + 4)] + record
        }
        bytes += [0, 0, 0, 0]
        for remote in 0..<random.below(3) {
            bytes += [0, UInt8(remote + 1), 0, UInt8(random.below(count))]
        }
        guard random.below(4) > 0 else { return bytes }
        bytes += [0, 0, 0, 0]
        for _ in 0..<random.below(3) { bytes += [0, 0, 0, UInt8(random.below(count))] }
        return bytes
    }

    private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0...random.below(3) {
            guard !bytes.isEmpty else { return }
            let index = random.below(bytes.count)
            switch random.below(8) {
            case 0: bytes[index] = random.pick([0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF])
            case 1: bytes.removeSubrange(index...)
            case 2: bytes.insert(UInt8(random.below(256)), at: index)
            case 3: bytes.remove(at: index)
            // Sizes and parents stand at the beginning of a record.
            case 4: bytes[min(3, bytes.count - 1)] = UInt8(random.below(256))
            case 5: bytes[min(5, bytes.count - 1)] = UInt8(random.below(4))
            case 6: bytes += bytes[index...]
            default: bytes[index] ^= 1 << UInt8(random.below(8))
            }
        }
    }

    private static func record(_ bytes: [UInt8], _ random: inout SeededGenerator) -> Record {
        let isOld = random.below(2) == 0
        let body: [UInt8] = isOld ? bytes : [0x70, 0x00]
        // The version is most often that of the first record.
        let length = bytes.count > 8 ? Int(bytes[7]) : 0
        let version = Array(bytes.dropFirst(8).prefix(length))
        return Record(
            key: "doc", sequence: Int64(random.below(3)) - 1, subsequence: 0,
            flags: DocumentFlags(rawValue: UInt16(random.below(256))), version: version,
            body: body, extra: isOld ? nil : bytes, bodySize: body.count,
            extraSize: isOld ? 0 : bytes.count, expiration: nil, isInTombstoneTable: false)
    }

    /// All operations on a tree; invalid ones must throw.
    private static func use(_ tree: inout RevisionTree, _ random: inout SeededGenerator) throws {
        _ = tree.conflicts + tree.history(of: random.below(tree.revisions.count))
        let columns = tree.columns()
        #expect(columns.version == tree.current?.id)
        for _ in 0..<3 where !tree.revisions.isEmpty {
            let (one, other) = (
                random.below(tree.revisions.count), random.below(tree.revisions.count)
            )
            let generation = UInt8(1 + random.below(100))
            do {
                switch random.below(7) {
                case 0: try tree.add(id: [generation, 1], body: [0x70, 0], parent: one)
                case 1: try tree.resolveConflict(winner: one, loser: other, closing: false)
                case 2: try tree.resolveConflict(winner: one, loser: other, closing: true)
                case 3: try tree.purge(leaf: one)
                case 4: tree.prune(toDepth: random.below(4))
                case 5: tree.setLatest(one, of: 7)
                default:
                    let known = tree.revisions[one].id
                    try tree.insert(
                        history: [[generation, 2], [99, 3], known], body: nil, remote: 9,
                        allowingConflict: true)
                }
            } catch is StoreError {
                continue
            }
            guard !tree.revisions.isEmpty else { return }
            #expect(try RevisionTree(binary: tree.binary) == tree)
        }
    }
}
