import DocumentStore
import SampleData

/// Documents from which an encoder cannot learn much, 20,000 of each kind.
enum UnfriendlyWorkloads {
    private static let count = 20_000

    static func all() -> [Workload] {
        let kinds: [(String, (inout SeededGenerator) -> String)] = [
            ("a random subset of 40 keys in random order", shuffled),
            ("20 keys in order, each with 70 %", optional),
            ("37 numbers, a third of 16 or 17 digits", numbers),
            ("escapes and text that is not ASCII", escapes),
            ("keys of 32 hexadecimal digits", longKeys),
            ("random keys of 6 and strings of 8 digits", randomKeys),
        ]
        return kinds.flatMap { name, make in
            [nil, SharedKeys()].map { keys in
                FleeceWorkloads.conversion(name, sharedKeys: keys) {
                    var random = SeededGenerator(seed: 7)
                    return (0..<count).map { _ in [UInt8](make(&random).utf8) }
                }
            }
        }
    }

    private static func object(_ pairs: [(String, String)]) -> String {
        "{" + pairs.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static func value(_ random: inout SeededGenerator) -> String {
        switch random.below(4) {
        case 0: "\(random.below(100_000))"
        case 1: "\"text \(random.below(1000))\""
        case 2: "true"
        default: "\(random.below(1000)).\(random.below(100))"
        }
    }

    private static func shuffled(_ random: inout SeededGenerator) -> String {
        var keys = (0..<40).map { "property\($0)" }
        var pairs: [(String, String)] = []
        for _ in 0..<20 {
            pairs.append((keys.remove(at: random.below(keys.count)), value(&random)))
        }
        return object(pairs)
    }

    private static func optional(_ random: inout SeededGenerator) -> String {
        var pairs: [(String, String)] = []
        for key in 0..<20 where random.below(10) < 7 {
            pairs.append(("field\(key * 7 % 20)", value(&random)))
        }
        return object(pairs)
    }

    private static func numbers(_ random: inout SeededGenerator) -> String {
        let numbers = (0..<37).map { index in
            switch index % 3 {
            case 0: "\(Double(random.below(1 << 52)) / Double(1 << 45))"
            case 1: "\(random.below(1_000_000))"
            default: "\(random.below(1000)).\(random.below(1_000_000))"
            }
        }
        return "{\"numbers\":[\(numbers.joined(separator: ","))]}"
    }

    private static func escapes(_ random: inout SeededGenerator) -> String {
        object(
            (0..<8).map { index in
                let text = "Zeile \(random.below(100))\\n\\\"groß\\\" \\u00e9 naïve – 東京"
                return ("k\(index)", "\"\(text)\"")
            })
    }

    private static func longKeys(_ random: inout SeededGenerator) -> String {
        object(
            (0..<10).map { _ in
                let digits = (0..<32).map { _ in
                    String(random.below(16), radix: 16)
                }
                return (digits.joined(), value(&random))
            })
    }

    private static func randomKeys(_ random: inout SeededGenerator) -> String {
        object(
            (0..<15).map { _ in
                (
                    "\(100_000 + random.below(900_000))",
                    "\"\(10_000_000 + random.below(90_000_000))\""
                )
            })
    }
}
