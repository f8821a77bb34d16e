import Foundation
import SampleData

/// Measurements of a probe, generated from a seed: 5,000 results, of which one in ten has 50 to 249
/// measurements and the others have 1 to 8, about 93,000 in all.
struct ProbeData: Sendable {
    struct Result: Sendable {
        let descriptor: String
        let startTime: Int64
        let isViewed: Bool
        let network: Int
        let origin: String
        let run: String
        var measurements: [Measurement] = []
    }

    struct Measurement: Sendable {
        let testName: String
        let url: Int?
        let startTime: Int64
        let isFailed: Bool
        let isAnomaly: Bool
        let isUploaded: Bool
    }

    struct Network: Sendable {
        let name: String
        let asn: String
        let country: String
        let type: String
    }

    static let now: Int64 = 1_790_000_000_000
    static let resultCount = 5_000
    static let shared = ProbeData()

    let urls = (0..<1_000).map { "https://www.example\($0).org/" }
    let networks = (0..<20).map {
        Network(
            name: "Network \($0)", asn: "AS\(1000 + $0)", country: ["DE", "IT", "CH"][$0 % 3],
            type: $0 % 2 == 0 ? "wifi" : "mobile")
    }
    let results: [Result]
    let measurementCount: Int

    /// Midnight, Monday and the first of the month before `now`, in UTC, and the epoch.
    static let periods: [Int64] = {
        var calendar = Calendar(identifier: .gregorian)
        (calendar.timeZone, calendar.firstWeekday) = (.gmt, 2)
        let timestamp = Date(timeIntervalSince1970: Double(now) / 1000)
        let units: [Calendar.Component] = [.day, .weekOfYear, .month]
        let starts = units.compactMap { calendar.dateInterval(of: $0, for: timestamp)?.start }
        return [0] + starts.map { Int64($0.timeIntervalSince1970 * 1000) }
    }()

    private init() {
        var random = SeededGenerator(seed: 20_261_122)
        let cards = ["websites", "instant_messaging", "circumvention", "performance"]
        var results: [Result] = []
        for number in 0..<Self.resultCount {
            // One every hour, the last one now.
            let start = Self.now - Int64(Self.resultCount - 1 - number) * 3_600_000
            let isLarge = number % 10 == 5
            var result = Result(
                descriptor: isLarge ? "websites" : random.pick(cards), startTime: start,
                isViewed: random.below(20) > 0, network: random.below(20),
                origin: random.below(3) == 0 ? "ooni-run" : "autorun", run: "run-\(number / 4)")
            for index in 0..<(isLarge ? 50 + random.below(200) : 1 + random.below(8)) {
                let isWeb = result.descriptor == "websites"
                result.measurements.append(
                    Measurement(
                        testName: isWeb ? "web_connectivity" : "telegram",
                        url: isWeb ? random.below(1_000) : nil,
                        startTime: start + Int64(index) * 1_000,
                        isFailed: random.below(50) == 0, isAnomaly: random.below(30) == 0,
                        isUploaded: random.below(500) > 0))
            }
            results.append(result)
        }
        self.results = results
        measurementCount = results.reduce(0) { $0 + $1.measurements.count }
    }
}

// The expected results of queries, as a sum over the rows found.
extension ProbeData {
    /// The value of a result, or of a measurement: when it started, and a result's aggregates.
    static func sum(start: Int64, total: Int = 0, failed: Int = 0, notUploaded: Int = 0) -> Int {
        Int((now - start) / 1000) + total + 1_000 * failed + 1_000_000 * notUploaded
    }

    func list(_ limit: Int) -> Int {
        results.suffix(limit).reduce(0) { sum, result in
            let measurements = result.measurements
            return sum
                + Self.sum(
                    start: result.startTime, total: measurements.count,
                    failed: measurements.count { $0.isFailed },
                    notUploaded: measurements.count { !$0.isUploaded })
        }
    }

    var notViewed: Int { results.count { !$0.isViewed && !$0.measurements.isEmpty } }

    var missingUpload: Int {
        results.count { $0.measurements.contains { !$0.isUploaded } }
    }

    var notUploaded: Int {
        results.joinedMeasurements.reduce(0) {
            $0 + ($1.isUploaded ? 0 : Self.sum(start: $1.startTime))
        }
    }

    var statistics: Int {
        let starts = results.joinedMeasurements.map(\.startTime)
        let counts = Self.periods.map { first in starts.count { $0 >= first } }
        return counts.reduce(0, +) + Set(networks.map(\.asn)).count
            + Set(networks.map(\.country)).count
    }
}

extension [ProbeData.Result] {
    fileprivate var joinedMeasurements: [ProbeData.Measurement] { flatMap(\.measurements) }
}
