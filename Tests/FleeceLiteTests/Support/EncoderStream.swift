import SampleData

@testable import FleeceLite

/// Documents that are written by one encoder one after another, with changes of its table of shared
/// keys between them.
struct EncoderStream {
    enum Step {
        case document(String)
        /// Truncated JSON: the keys that it added are removed.
        case broken(String)
        /// Removes the last keys, so that a number of hundredths are left.
        case revert(Int)
        /// Replaces the current table with one of these keys.
        case replace([String])
        /// Adds keys, some of them ineligible, as a stored table might contain them.
        case extend([String])
        /// Saves the table, and restores it.
        case save, restore

        /// A line for the oracle; nil if it has nothing to do.
        var line: String? {
            switch self {
            case .document(let json): json
            case .broken: nil
            case .revert(let part): "%revert \(part)"
            case .replace(let keys): "%replace " + keys.joined(separator: "|")
            case .extend(let keys): "%extend " + keys.joined(separator: "|")
            case .save: "%save"
            case .restore: "%restore"
            }
        }
    }

    private static let names =
        (0..<20).map { "field_\($0)" } + (0..<20).map { "k\($0)" } + ["", "a"]

    /// The steps of the stream of a number.
    static func steps(_ number: Int, documents: Int) -> [Step] {
        var random = SeededGenerator(seed: UInt64(number))
        var json = RandomJSON(random: SeededGenerator(seed: random.next()))
        var records = RandomRecords(random: SeededGenerator(seed: random.next()))
        var steps: [Step] = []
        for index in 0..<documents {
            if random.oneIn(12) { steps.append(change(&random)) }
            let text = index % 4 == 3 ? json.document(index) : records.document()
            if random.oneIn(25) {
                steps.append(.broken(String(text.unicodeScalars.prefix(text.count / 2))))
            }
            steps.append(.document(text))
        }
        return steps
    }

    private static func change(_ random: inout SeededGenerator) -> Step {
        switch random.below(7) {
        case 0: .revert(random.below(101))
        case 1: .revert(95 + random.below(5))
        case 2: .replace(Array(random.shuffled(names).prefix(1 + random.below(40))))
        case 3: .replace((0..<(2030 + random.below(19))).map { "n\($0)" })
        case 4: .extend([random.pick(names), "two words", "é", "id-\(random.below(5000))"])
        case 5: .save
        default: .restore
        }
    }

    /// The bytes of the documents, from two encoders that each write all of them.
    struct Output {
        var plain: [[UInt8]] = []
        var shared: [[UInt8]] = []
        /// The maximum number of keys at a time.
        var keyCount = 0
    }

    static func output(of steps: [Step]) throws -> Output {
        var output = Output()
        var plain = FleeceEncoder()
        var shared = FleeceEncoder(sharedKeys: SharedKeys())
        var saved = SharedKeys()
        for step in steps {
            switch step {
            case .document(let json):
                try plain.writeJSON(json)
                output.plain.append(try plain.finish())
                try shared.writeJSON(json)
                output.shared.append(try shared.finish())
            case .broken(let json):
                let count = shared.sharedKeys?.count ?? 0
                _ = try? plain.writeJSON(json)
                _ = try? shared.writeJSON(json)
                plain.reset()
                shared.reset()
                shared.sharedKeys?.revert(to: count)
            case .revert(let part):
                let count = shared.sharedKeys?.count ?? 0
                shared.sharedKeys?.revert(to: count * part / 100)
            case .replace(let keys): shared.sharedKeys = table(keys)
            case .extend(let keys):
                for key in keys {
                    var key = key
                    key.withUTF8 { _ = shared.sharedKeys?.appendStored(.init($0)) }
                }
            case .save: saved = shared.sharedKeys ?? saved
            case .restore: shared.sharedKeys = saved
            }
            output.keyCount = max(output.keyCount, shared.sharedKeys?.count ?? 0)
        }
        return output
    }
}
