import SampleData
import Testing
@testable import StoreFormat

@Suite("VersionVector: order and merging")
struct VersionVectorOrderTests {
    private static let alice = "AAECAwQFBgcICQoLDA0ODw"
    private static let bob = "EBAQEBAQEBAQEBAQEBAQEA"

    private func vector(_ text: String) throws -> VersionVector { try VersionVector(text: text) }

    @Test(
        "a vector is newer than one if it has all of its versions, or later ones",
        arguments: [
            ("3000000000000@*", "3000000000000@*", VersionVector.Order.same),
            ("3000000000000@*", "2000000000000@*", .newer),
            ("2000000000000@*", "3000000000000@*", .older),
            ("3000000000000@*", "3000000000000@\(alice)", .conflicting),
            ("3000000000000@*; 2000000000000@\(alice)", "2000000000000@\(alice)", .newer),
            ("3000000000000@*; 2000000000000@\(alice)", "2100000000000@\(alice)", .conflicting),
            // Marks and order are ignored.
            (
                "3000000000000@*; 2000000000000@\(alice)",
                "2000000000000@\(alice), 3000000000000@*;", .same
            ),
        ])
    func order(left: String, right: String, expected: VersionVector.Order) throws {
        #expect(try vector(left).compare(to: vector(right)) == expected)
    }

    @Test("a merge has its new version, the two that it merges, and then the rest, latest first")
    func merging() throws {
        let mine = try vector(
            "5000000000000@*, 1000000000000@\(Self.alice); 2000000000000@\(Self.bob)")
        let theirs = try vector(
            "4000000000000@\(Self.alice); 1500000000000@*, "
                + "3000000000000@AAAAAAAAAAAAAAAAAAAAAA")
        let time = LogicalTime(rawValue: 0x6_0000_0000_0000)
        #expect(
            mine.merging(theirs, at: time).text
                == "6000000000000@*, 5000000000000@*, 4000000000000@\(Self.alice); "
                + "3000000000000@AAAAAAAAAAAAAAAAAAAAAA, 2000000000000@\(Self.bob)")
        // A version that the other vector has a later one of is included, not merged.
        let older = try vector("1000000000000@\(Self.alice)")
        let later = try vector("3000000000000@\(Self.bob); 2000000000000@\(Self.alice)")
        #expect(
            older.merging(later, at: time).text
                == "6000000000000@*, 3000000000000@\(Self.bob); 2000000000000@\(Self.alice)")
    }

    @Test("a change is contained in later vectors")
    func contains() throws {
        let vector = try vector("3000000000000@*; 2000000000000@\(Self.alice)")
        for version in vector.versions { #expect(vector.contains(version)) }
        let parts = ["2ffffffffffff@*": true, "3000000000001@*": false]
        for (text, isContained) in parts {
            #expect(try vector.contains(self.vector(text).first) == isContained)
        }
        #expect(!vector.contains(try self.vector("3000000000000@\(Self.bob)").first))
    }

    @Test("vectors of two databases are compared after each replaced `*` by its id")
    func databases() throws {
        let alice = try VersionVector.PeerID([UInt8](0..<16))
        let bob = try VersionVector.PeerID([UInt8](repeating: 0x10, count: 16))
        // Alice created it, Bob has changed it since.
        let atAlice = try vector("2000000000000@*")
        let atBob = try vector("3000000000000@*; 2000000000000@\(Self.alice)")
        let global = atBob.globalized(local: bob)
        #expect(global.text == "3000000000000@\(Self.bob); 2000000000000@\(Self.alice)")
        #expect(atAlice.globalized(local: alice).compare(to: global) == .older)
        let stored = global.localized(local: alice)
        #expect(stored.text == "3000000000000@\(Self.bob); 2000000000000@*")
        #expect(stored.compare(to: atAlice) == .newer)
        #expect(stored.localized(local: alice) == stored)
        // Both names refer to one database: the later version stays.
        let both = try vector("2000000000000@*; 3000000000000@\(Self.alice)")
        #expect(both.globalized(local: alice).text == "3000000000000@\(Self.alice)")
        #expect(both.localized(local: alice).text == "3000000000000@*")
        let other = try vector("3000000000000@*; 2000000000000@\(Self.alice)")
        #expect(other.globalized(local: alice).text == "3000000000000@\(Self.alice)")
    }

    @Test("comparison and merging satisfy their laws for 3,000 random vectors")
    func laws() throws {
        var random = RandomVectors(seed: RandomVectors.seed)
        print("VersionVectorOrderTests: STORE_SEED=\(RandomVectors.seed)")
        var counts: [String: Int] = [:]
        for round in 0..<1_000 {
            let many = round % 50 == 0 ? 40 : 4
            let a = random.next(many)
            let b = random.next(many, after: a)
            let c = random.next(many, after: b)
            for vector in [a, b, c] { try expectLaws(of: vector) }
            expectLaws(a, b, &counts)
            expectLaws(a, b, c)
            try expectMerge(a, b)
        }
        // Each kind must have occurred, otherwise nothing was tested.
        #expect(counts.values.allSatisfy { $0 > 50 } && counts.count == 4, "\(counts)")
    }

    private func expectLaws(of vector: VersionVector) throws {
        #expect(vector.compare(to: vector) == .same)
        #expect(try VersionVector(binary: vector.binary) == vector)
        #expect(try VersionVector(text: vector.text).binary == vector.binary)
        let uuid = VersionVector.PeerID(high: .max, low: 7)
        #expect(vector.globalized(local: uuid).localized(local: uuid) == vector)
        let time = LogicalTime(rawValue: vector.latestTime.rawValue + 1)
        let changed = vector.adding(localTime: time)
        #expect(changed.compare(to: vector) == .newer && vector.compare(to: changed) == .older)
        #expect(changed.currentCount == 1 && changed.first.source == .local)
        let kept = vector.versions.filter { $0.source != .local && !vector.isRepeated($0) }
        #expect(changed.others.map(\.source) == kept.map(\.source))
    }

    private func expectLaws(
        _ a: VersionVector, _ b: VersionVector, _ counts: inout [String: Int]
    ) {
        let order = a.compare(to: b)
        counts["\(order)", default: 0] += 1
        let opposite: [VersionVector.Order: VersionVector.Order] = [
            .same: .same, .newer: .older, .older: .newer, .conflicting: .conflicting,
        ]
        #expect(b.compare(to: a) == opposite[order])
        let hasAll = b.versions.allSatisfy { a.contains($0) }
        #expect(hasAll == (order == .same || order == .newer))
        #expect((Set(a.plain) == Set(b.plain)) == (order == .same))
    }

    private func expectLaws(_ a: VersionVector, _ b: VersionVector, _ c: VersionVector) {
        let isUp = a.compare(to: b) == .newer || a.compare(to: b) == .same
        let isOn = b.compare(to: c) == .newer || b.compare(to: c) == .same
        guard isUp, isOn else { return }
        #expect(a.compare(to: c) == .newer || a.compare(to: c) == .same)
    }

    private func expectMerge(_ a: VersionVector, _ b: VersionVector) throws {
        let time = LogicalTime(rawValue: max(a.latestTime, b.latestTime).rawValue + 1)
        let merged = a.merging(b, at: time)
        #expect(merged.compare(to: a) == .newer && merged.compare(to: b) == .newer)
        #expect(try VersionVector(binary: merged.binary) == merged)
        let sources = Set(a.versions.map(\.source) + b.versions.map(\.source) + [.local])
        #expect(merged.plain.count == sources.count)
        // The first versions of both are current, unless the other has a later one of that source.
        for version in merged.others where version.isCurrent {
            #expect([a.first, b.first].contains { $0.marked(true) == version })
        }
        for version in merged.others where merged.isRepeated(version) {
            #expect(version.source == .local && version.time < merged.first.time)
        }
        let marks = merged.versions.map(\.isCurrent)
        #expect(marks == marks.filter { $0 } + marks.filter { !$0 })
        let mirror = b.merging(a, at: time)
        #expect(Set(mirror.versions) == Set(merged.versions))
    }
}

extension VersionVector {
    /// The latest version of each source, without marks.
    fileprivate var plain: [Version] {
        versions.filter { !isRepeated($0) }.map { $0.marked(false) }
    }

    /// Whether a version is the older one of the first version's source, merged into the first.
    fileprivate func isRepeated(_ version: Version) -> Bool {
        version.source == first.source && version.isCurrent && version.time < first.time
    }
}
