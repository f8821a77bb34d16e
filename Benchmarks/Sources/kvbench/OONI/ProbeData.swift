import SampleData

/// What a probe has measured, made up from a seed: 5,000 results, of which one in ten has 50 to 249
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
