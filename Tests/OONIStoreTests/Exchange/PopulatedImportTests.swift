import DocumentStore
import StoreTestSupport
import Testing

@testable import OONIStore

/// Every row of `PopulatedProbe` and what becomes of it, column by column.
@Suite("Import of a populated database of OONI Probe, row by row")
struct PopulatedImportTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func imported(_ version: Int) throws -> OONIStore {
        let store = try OONIStore.inMemory()
        let report = try store.importProbe(
            path: PopulatedProbe(in: directory, version: version).path)
        #expect(report.version == version)
        #expect(report.problems.map(\.description) == [])
        #expect(report.renumberedResults.isEmpty && report.renumberedMeasurements.isEmpty)
        #expect(try store.read { try store.verify(in: $0) } == [])
        return store
    }

    @Test("TestDescriptor", arguments: 5...21)
    func descriptors(version: Int) throws {
        let store = try imported(version)
        let all = try store.read { try store.descriptors.all(in: $0) }
        let hasRevisions = version == 10 || version == 11
        var websites = OONIStore.TestDescriptor(runID: "00104", revision: 1, name: "Websites")
        websites.nettests = []
        var before = OONIStore.TestDescriptor(
            runID: "10004", revision: 1, name: "Before", nettests: nil)
        before.isAutoUpdated = false
        before.revisions = hasRevisions ? [1] : nil
        var festival = OONIStore.TestDescriptor(
            runID: "10004", revision: 2, name: "Festival",
            nettests: [.init(.webConnectivity, inputs: ["https://one.example/"]), .init(.tor)])
        festival.shortDescription = "Sites of a festival"
        festival.description = "*All*"
        festival.author = "me@example.org"
        festival.nameByLanguage = ["pt_BR": "Festa"]
        festival.shortDescriptionByLanguage = ["de": "Seiten"]
        festival.descriptionByLanguage = ["de": "*Alle*"]
        festival.icon = "FaShield"
        festival.color = "#00ff7f"
        festival.animation = "spin.json"
        festival.expirationDate = .at(4_102_444_800_000)
        festival.dateCreated = .at(1_700_000_000_000)
        festival.dateUpdated = .at(1_700_000_001_000)
        festival.dateInstalled = version >= 14 ? .at(1_700_000_002_000) : nil
        festival.rejectedRevision = version >= 11 ? 3 : nil
        festival.revisions = hasRevisions ? [2, 1] : nil
        #expect(all == (version < 10 ? [festival] : [websites, before, festival]))
        #expect(all.last.map { Array($0.previousRevisions) } == [1])
    }

    @Test("Network and Url", arguments: 5...21)
    func networksAndUrls(version: Int) throws {
        let store = try imported(version)
        try store.read { (snapshot) throws in
            let networks = try store.networks.all(in: snapshot)
            #expect(
                networks == [
                    .init(
                        id: .init(1),
                        details: .init(
                            name: "Net", asn: "AS1234", countryCode: "DE", type: .wifi)),
                    .init(
                        id: .init(2),
                        details: .init(asn: "AS9", type: .init(rawValue: "satellite"))),
                ])
            let urls = try store.urls.all(in: snapshot)
            #expect(
                urls == [
                    .init("https://one.example/", category: .news, countryCode: "IT"),
                    .init("https://two.example/", category: .init(rawValue: "WHAT")),
                ])
        }
    }

    @Test("Result", arguments: 5...21)
    func results(version: Int) throws {
        let store = try imported(version)
        var first = OONIStore.TestResult(
            id: .init(1), descriptor: .init(name: "websites"), startTime: .at(1_700_000_100_000))
        (first.isViewed, first.isDone) = (true, true)
        (first.dataUsageUpKiB, first.dataUsageDownKiB) = (12, 345)
        first.networkID = .init(1)
        first.taskOrigin = version >= 7 ? .autorun : .ooniRun
        first.runID = version >= 15 ? "internal_run_1" : nil
        (first.counts.measurements, first.counts.done, first.counts.anomalies) = (2, 2, 1)
        (first.counts.ok, first.counts.notUploaded, first.counts.uploadFailed) = (1, 1, 1)
        var second = OONIStore.TestResult(
            id: .init(2), descriptor: .init(key: .init("10004", revision: 2)),
            startTime: .at(1_700_000_200_000))
        second.isDone = true
        second.dataUsageDownKiB = 1
        second.failureMessage = "no\nroute"
        second.networkID = .init(2)
        (second.counts.measurements, second.counts.done, second.counts.ok) = (2, 2, 1)
        (second.counts.failed, second.counts.notUploaded) = (1, 2)
        var third = OONIStore.TestResult(
            id: .init(3), descriptor: .init(), startTime: .at(1_700_000_300_000))
        third.counts.measurements = 1
        try store.read { (snapshot) throws in
            for expected in [first, second, third] {
                #expect(try store.results.get(expected.id, in: snapshot) == expected)
            }
            #expect(try store.results.page(in: snapshot).results.map(\.id.number) == [3, 2, 1])
        }
    }

    @Test("Measurement", arguments: 5...21)
    func measurements(version: Int) throws {
        let store = try imported(version)
        func make(
            _ result: Int64, _ number: Int64, _ name: OONIStore.TestName, _ start: Int64,
            _ change: (inout OONIStore.Measurement) -> Void
        ) -> OONIStore.Measurement {
            var measurement = OONIStore.Measurement(
                id: .init(.init(result), number), testName: name, startTime: .at(start))
            change(&measurement)
            return measurement
        }
        let expected = [
            make(1, 10, .webConnectivity, 1_700_000_100_500) {
                $0.runtimeSeconds = 1.5
                ($0.isDone, $0.isUploaded, $0.isAnomaly) = (true, true, true)
                ($0.reportID, $0.url) = ("r10", "https://one.example/")
                $0.uid = version >= 13 ? "u10" : nil
                $0.verificationStatus = version >= 19 ? .verified : nil
            },
            make(1, 11, .webConnectivity, 1_700_000_101_000) {
                ($0.isDone, $0.isUploadFailed, $0.isRerun) = (true, true, true)
                ($0.uploadFailureMessage, $0.url) = ("timeout", "https://two.example/")
                $0.rerunNetwork = .init(name: "Net", asn: "AS1", countryCode: "FR", type: .vpn)
                $0.verificationStatus = version >= 19 ? .failed : nil
            },
            make(2, 12, .ndt, 1_700_000_200_100) {
                $0.isDone = true
                $0.testKeys = .init(summary: .init(upload: 1.25, download: 20, ping: 30))
            },
            make(2, 13, .dash, 1_700_000_200_200) {
                ($0.isDone, $0.isFailed, $0.failureMessage) = (true, true, "broken")
                $0.testKeys = .init(
                    simple: .init(medianBitrate: 5, upload: 6, download: 7.5))
            },
            make(3, 14, .init(rawValue: "experiment_x"), 1_700_000_300_100) { _ in },
        ]
        #expect(try store.read { try store.measurements.all(in: $0) } == expected)
    }

    @Test("Article", arguments: 5...21)
    func articles(version: Int) throws {
        let store = try imported(version)
        let articles = try store.read { try store.articles.all(in: $0) }
        let expected: [OONIStore.Article] = [
            .init(
                url: "https://ooni.example/a", title: "A", source: .finding, description: "about",
                imageURL: "https://ooni.example/a.png", time: .at(77)),
            .init(url: "https://ooni.example/b", title: "B", source: .blog, time: .at(78)),
        ]
        #expect(articles.sorted { $0.url < $1.url } == (version < 17 ? [] : expected))
    }

    @Test("An export of it is imported as it was, revisions included")
    func exported() throws {
        let store = try imported(11)
        var lines: [String] = []
        try store.export { lines.append($0) }
        let other = try OONIStore.inMemory()
        try other.importLines(lines)
        let expected = try store.read { try store.descriptors.all(in: $0) }
        #expect(try other.read { try other.descriptors.all(in: $0) } == expected)
        #expect(expected.last?.revisions == [2, 1])
    }
}
