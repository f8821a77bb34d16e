import ArgumentParser
import Synchronization

/// The number of people: a multiple of 10,000.
struct BenchmarkSize: ExpressibleByArgument {
    let people: Int

    init(people: Int) {
        self.people = people
    }

    /// Parses 10k, 100k, 1M, 10000.
    init?(argument: String) {
        var digits = argument[...]
        let factor: Int
        switch digits.last {
        case "k": factor = 1_000
        case "M": factor = 1_000_000
        default: factor = 1
        }
        if factor > 1 { digits.removeLast() }
        guard let number = Int(digits),
            case (let people, false) =
                number
                .multipliedReportingOverflow(by: factor), people > 0, people % 10_000 == 0
        else { return nil }
        self.people = people
    }

    var defaultValueDescription: String {
        people % 1_000_000 == 0 ? "\(people / 1_000_000)M" : "\(people / 1000)k"
    }

    private static let chosen = Mutex(100_000)

    /// Selects the size of the data; must be called before it is created.
    static func use(_ size: BenchmarkSize) { chosen.withLock { $0 = size.people } }

    static var people: Int { chosen.withLock { $0 } }
}
