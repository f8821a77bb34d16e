import SampleData

import OONIStore

/// Random changes of a store, which depend on nothing but the seed.
struct OONIHistory {
    var generator: SeededGenerator
    var model = NaiveStore()

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    static let links = ["00104", "00105", "10", "10004", "10!"]
    static let keys = ["websites", "instant_messaging", "00104", "10", "10004", "10!", "other"]
    static let urls = [
        "https://a.example/", "https://b.example/", "_under", "#hash", "line\nfeed", "",
        "https://long.example/" + String(repeating: "x", count: 300),
    ]

    private mutating func chance(_ percent: Int) -> Bool { generator.below(100) < percent }

    mutating func timestamp() -> OONIStore.Instant {
        .init(milliseconds: generator.pick(HistoryTime.timestamps))
    }

    /// Mostly one that is there.
    mutating func result() -> OONIStore.TestResult.ID {
        guard !model.results.isEmpty, generator.below(12) > 0 else {
            return .init(Int64(generator.below(40)))
        }
        return generator.pick(model.results).id
    }

    mutating func measurement() -> OONIStore.Measurement.ID {
        guard !model.measurements.isEmpty, generator.below(12) > 0 else {
            return .init(result(), Int64(generator.below(99)))
        }
        return generator.pick(model.measurements).id
    }

    mutating func network() -> OONIStore.Network.ID {
        guard !model.networks.isEmpty, generator.below(12) > 0 else {
            return .init(Int64(generator.below(20)))
        }
        return generator.pick(model.networks).id
    }

    mutating func reference() -> OONIStore.DescriptorReference {
        var key: OONIStore.TestDescriptor.Key?
        if !model.descriptors.isEmpty, generator.below(10) < 7 {
            key = generator.pick(model.descriptors).key
        } else if generator.below(4) == 0 {
            key = .init("10004", revision: 77)
        }
        let names: [String?] = ["websites", "instant_messaging", "unknown card", nil]
        return .init(name: generator.pick(names), key: key)
    }

    mutating func descriptor() -> OONIStore.TestDescriptor {
        let inputs = (0..<generator.below(3)).map { _ in generator.pick(Self.urls) }
        let tests: [[OONIStore.NetTest]?] = [
            nil, [], [.init(.webConnectivity, inputs: inputs)],
            [.init(.ndt), .init(.init(rawValue: "new test"), inputs: ["no url"])],
        ]
        let isWrong = generator.below(25) == 0
        var descriptor = OONIStore.TestDescriptor(
            runID: isWrong ? "" : generator.pick(Self.links), revision: generator.below(7),
            name: "name \(generator.below(100))", nettests: generator.pick(tests))
        if generator.below(50) == 0 { descriptor.revision = -1 }
        descriptor.nameByLanguage = chance(30) ? ["de": "Name"] : [:]
        descriptor.isAutoUpdated = generator.below(2) == 0
        if generator.below(3) > 0 { descriptor.dateInstalled = timestamp() }
        if generator.below(3) > 0 { descriptor.expirationDate = timestamp() }
        if generator.below(5) > 0 { descriptor.dateUpdated = timestamp() }
        return descriptor
    }

    /// Mostly a link that is there.
    mutating func installed() -> String {
        model.descriptors.isEmpty || chance(20)
            ? generator.pick(Self.links) : generator.pick(model.descriptors).runID
    }

    /// Mostly newer than what is there, of the same revision or one near it.
    mutating func fetched() -> OONIStore.TestDescriptor {
        var fetched = descriptor()
        guard chance(80), let known = model.revisions(installed()).last else { return fetched }
        (fetched.runID, fetched.revision) = (known.runID, known.revision + generator.below(3))
        if let date = known.dateUpdated {
            fetched.dateUpdated = .init(milliseconds: date.milliseconds + 1)
        }
        return fetched
    }

    mutating func filter() -> OONIStore.ResultFilter {
        var filter = OONIStore.ResultFilter()
        if generator.below(3) == 0 {
            filter.descriptors = Set(
                (0..<generator.below(4)).map { _ in generator.pick(Self.keys) })
        }
        if generator.below(3) == 0 {
            filter.networks = Set((0..<generator.below(4)).map { _ in network() })
        }
        if generator.below(3) == 0 {
            filter.taskOrigin = generator.pick([.ooniRun, .autorun, .init(rawValue: "new")])
        }
        if generator.below(3) == 0 {
            let (one, other) = (timestamp(), timestamp())
            filter.startTime = min(one, other)..<max(one, other)
        }
        return filter
    }

    mutating func url() -> OONIStore.Url {
        .init(
            generator.pick(Self.urls),
            category: generator.pick([.miscellaneous, .news, .init(rawValue: "NEWC")]),
            countryCode: generator.pick([nil, "", "XX", "ZZ", "IT", "DE"]))
    }

    mutating func details() -> OONIStore.NetworkDetails {
        .init(
            name: generator.pick([nil, "", "Net"]), asn: generator.pick([nil, "", "AS1", "AS2"]),
            countryCode: generator.pick([nil, "", "IT"]),
            type: generator.pick([nil, .wifi, .init(rawValue: "carrier pigeon")]))
    }

    mutating func articles() -> [OONIStore.Article] {
        (0..<generator.below(5)).map { _ in
            .init(
                url: generator.pick(Self.urls), title: "title \(generator.below(2))",
                source: generator.pick([.blog, .init(rawValue: "podcast")]), time: timestamp())
        }
    }
}

extension OONIHistory {
    /// The next change.
    mutating func operation() -> OONIOperation {
        switch generator.below(100) {
        case 0..<6: .saveDescriptors((0..<generator.below(4)).map { _ in descriptor() })
        case 6..<8: .insertDescriptors((0..<generator.below(4)).map { _ in descriptor() })
        case 8..<12: .applyFetched(fetched())
        case 12..<13:
            generator.below(2) == 0
                ? .setAutoUpdate(generator.below(2) == 0, generator.pick(Self.links))
                : .install(fetched(), timestamp())
        case 13..<16: .setRejected(chance(80) ? 3 + generator.below(4) : nil, installed())
        case 16..<17: .deleteDescriptor(generator.pick(Self.links))
        case 17..<22: .registerNetwork(details())
        case 22..<23: .deleteUnusedNetworks
        case 23..<25: .registerUrl(url())
        case 25..<26: .refreshArticles(articles())
        default: operationOfResults()
        }
    }

    private mutating func operationOfResults() -> OONIOperation {
        switch generator.below(74) {
        case 0..<14:
            .insertResult(
                reference(), timestamp(),
                generator.pick([.ooniRun, .autorun, .init(rawValue: "new")]),
                run: (chance(60) ? "run \(generator.below(4))" : nil),
                (chance(70) ? network() : nil))
        case 14..<18: .updateResult(result(), resultChange())
        case 18..<20: .markAsViewed(result())
        case 20..<21: .markAllAsViewed(filter())
        case 21..<24: .markAsDone(result())
        case 24..<25: .markAllAsDone
        case 25..<27: .deleteResults((0..<generator.below(4)).map { _ in result() })
        case 27..<28: .deleteFiltered(filter())
        case 28..<29 where chance(60): .setExpiration(result(), chance(80) ? timestamp() : nil)
        case 28..<29 where chance(40): .deleteExpired(timestamp())
        case 28..<29:
            .retain(
                results: (chance(50) ? 4 + generator.below(9) : nil),
                lastMonth: generator.below(3) == 0)
        default: operationOfMeasurements()
        }
    }

    private mutating func operationOfMeasurements() -> OONIOperation {
        switch generator.below(10) {
        case 0..<4:
            .insertMeasurement(
                generator.pick([.webConnectivity, .ndt, .dash, .init(rawValue: "new")]), result(),
                (chance(60) ? generator.pick(Self.urls) : nil), timestamp())
        case 4..<8: .updateMeasurement(measurement(), measurementChange())
        case 8..<9: .noteUpload(outcome(), measurement())
        default:
            if generator.below(2) == 0 {
                .deleteMeasurement(measurement())
            } else {
                .noteUpload(.uploaded(uid: "u", verification: .verified), measurement())
            }
        }
    }

    private mutating func outcome() -> OONIStore.Measurements.UploadOutcome {
        generator.pick([
            .uploaded(uid: nil, verification: nil), .failed(message: "offline"), .reportMissing,
            .reportUnreadable(message: "no JSON"),
        ])
    }

    private mutating func resultChange() -> OONIOperation.ResultChange {
        .init(
            startTime: (chance(30) ? timestamp() : nil),
            upKiB: (chance(40) ? Int64(generator.below(1_000)) : nil),
            run: (chance(20) ? "run \(generator.below(4))" : nil),
            network: (chance(30) ? network() : nil),
            descriptor: (chance(20) ? reference() : nil))
    }

    private mutating func measurementChange() -> OONIOperation.MeasurementChange {
        .init(
            isDone: (chance(60) ? generator.below(4) > 0 : nil),
            isUploaded: (chance(30) ? generator.below(2) > 0 : nil),
            isFailed: (chance(20) ? generator.below(2) > 0 : nil),
            isUploadFailed: (chance(20) ? generator.below(2) > 0 : nil),
            isAnomaly: (chance(20) ? generator.below(2) > 0 : nil),
            startTime: (chance(20) ? timestamp() : nil),
            testKeys: (chance(30)
                ? OONIStore.TestKeys(
                    summary: .init(upload: Double(generator.below(9)) / 8, download: 3)) : nil),
            url: (chance(20)
                ? generator.below(5) == 0 ? "not there" : generator.pick(Self.urls) : nil))
    }
}
