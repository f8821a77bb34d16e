import Foundation
import SampleData
@testable import StoreFormat

/// Vectors of few peers and few times, so that all that two of them can have in common comes up.
struct RandomVectors {
    static let seed = number("STORE_SEED").flatMap { UInt64($0) } ?? 20_261_121

    /// A number in the environment.
    static func number(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    private(set) var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next(_ maximum: Int) -> VersionVector {
        let sources = self.sources(maximum)
        var versions: [VersionVector.Version] = []
        let current = 1 + random.below(sources.count)
        for (index, source) in sources.enumerated() {
            versions.append(
                VersionVector.Version(time: time(), source: source, isCurrent: index < current))
        }
        // Now and then an older version of the first one's source that is merged into it.
        if current > 1, random.below(4) == 0, versions[0].time > LogicalTime.valid.lowerBound {
            versions.insert(
                VersionVector.Version(
                    time: LogicalTime(rawValue: versions[0].time.rawValue - 1),
                    source: versions[0].source, isCurrent: true), at: 1 + random.below(current))
        }
        return VersionVector(first: versions[0], others: Array(versions.dropFirst()))
    }

    /// One of the same document: any, the same, or one that came before or after.
    mutating func next(_ maximum: Int, after old: VersionVector) -> VersionVector {
        let later = LogicalTime(rawValue: old.latestTime.rawValue + 1 + UInt64(random.below(9)))
        switch random.below(6) {
        case 0: return old
        case 1: return old.adding(localTime: later)
        case 2: return old.merging(next(maximum), at: later)
        case 3: return VersionVector(first: old.first.marked(true), others: old.others.dropLast())
        default: return next(maximum)
        }
    }

    private mutating func sources(_ maximum: Int) -> [VersionVector.Source] {
        var all: [VersionVector.Source] = [.local]
        for index in 1..<max(2, maximum) {
            all.append(.peer(.init(high: UInt64(index) &* 0x9E37_79B9_7F4A_7C15, low: 3)))
        }
        // Mostly few of them, in any order.
        for index in all.indices.dropFirst() { all.swapAt(index, random.below(index + 1)) }
        return Array(all.prefix(1 + random.below(all.count)))
    }

    /// Mostly one of a few times; now and then any that is valid.
    private mutating func time() -> LogicalTime {
        let base: UInt64 = 0x18E9_F0B7_9F00_0000
        switch random.below(12) {
        case 0: return LogicalTime(rawValue: 1 << 40 + UInt64(random.below(1 << 20)))
        case 1: return LogicalTime(rawValue: 1 << 62 + random.next() >> 2)
        case 2: return LogicalTime(rawValue: base + UInt64(random.below(2)))
        default: return LogicalTime(rawValue: base + UInt64(random.below(3)) << 16)
        }
    }
}
