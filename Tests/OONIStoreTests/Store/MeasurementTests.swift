import DocumentStore
import Testing

import OONIStore

@Suite("Measurements")
struct MeasurementTests {
    private let store: OONIStore
    private let result: OONIStore.TestResult.ID

    init() throws {
        store = try OONIStore.inMemory()
        result = try store.begin().id
    }

    private func get(_ id: OONIStore.Measurement.ID) throws -> OONIStore.Measurement? {
        try store.read { try store.measurements.get(id, in: $0) }
    }

    private func code(_ body: (Transaction) throws -> Void) throws -> OONIStoreError.Code? {
        do {
            try store.write(body)
            return nil
        } catch let error as OONIStoreError {
            return error.code
        }
    }

    @Test("a measurement is read as it was written")
    func roundTrip() throws {
        let made = try store.measure(.ndt, of: result, at: -1) {
            $0.runtimeSeconds = 0.125
            ($0.isDone, $0.isRerun, $0.isUploadFailed) = (true, true, true)
            $0.failureMessage = "generic_timeout_error"
            $0.uploadFailureMessage = "é \u{1F980}\0 end"
            ($0.reportID, $0.uid) = ("20260311_ndt", "u1")
            $0.verificationStatus = .unverified
            $0.testKeys = .init(summary: .init(upload: 1.5, download: 9_999_999, ping: 0))
            $0.rerunNetwork = .init(name: "Net", asn: "AS1", countryCode: "IT", type: .mobile)
        }
        #expect(made.id == .init(result, 1))
        #expect(try get(made.id) == made)
        #expect(made.testKeys?.summary?.download == 9_999_999 && made.startTime == .at(-1))
        #expect(try get(.init(result, 2)) == nil && get(.init(.init(2), 1)) == nil)
    }

    @Test("the status of a measurement is stored, known or not; nil is nil")
    func verification() throws {
        for status in [.verified, .failed, .unverified, nil, .init(rawValue: "Perhaps")]
            as [OONIStore.VerificationStatus?]
        {
            let made = try store.measure(of: result) { $0.verificationStatus = status }
            #expect(try get(made.id)?.verificationStatus == status)
        }
    }

    @Test("only tests of performance have keys")
    func testKeys() throws {
        let keys = OONIStore.TestKeys(simple: .init(medianBitrate: 3, upload: nil, download: 4))
        let dash = try store.measure(.dash, of: result) { $0.testKeys = keys }
        let web = try store.measure(of: result) { $0.testKeys = keys }
        #expect(web.testKeys == nil)
        let other = try store.begin("performance").id
        let ndt = try store.measure(.ndt, of: other) {
            $0.testKeys = .init(summary: .init(ping: 1))
        }
        let (all, some, none, one) = try store.read { snapshot in
            (
                try store.measurements.testKeys(in: snapshot),
                try store.measurements.testKeys(of: ["performance"], in: snapshot),
                try store.measurements.testKeys(of: ["nobody"], in: snapshot),
                try store.measurements.testKeys(of: result, in: snapshot)
            )
        }
        #expect(all == [dash.id: keys, ndt.id: .init(summary: .init(ping: 1))])
        #expect(some.keys.map(\.self) == [ndt.id])
        #expect(none == [:])
        #expect(one == [dash.id: keys])
    }

    @Test("those of a result come with their websites, the first one first")
    func ofResult() throws {
        for (time, url) in [
            (5, "https://b.example/"), (3, nil), (5, "https://a.example/"), (4, ""),
        ]
            as [(Int64, String?)]
        {
            try store.measure(of: result, url: url, at: time)
        }
        try store.measure(of: store.begin().id, at: 1)
        let all = try store.read { try store.measurements.all(of: result, in: $0) }
        #expect(all.map(\.measurement.id.number) == [2, 4, 1, 3])
        #expect(all.map(\.url?.url) == [nil, "", "https://b.example/", "https://a.example/"])
        #expect(try store.read { try store.measurements.all(of: .init(9), in: $0) }.isEmpty)
    }

    @Test("not uploaded are those that are done, of all results or of one, the first one first")
    func notUploaded() throws {
        let other = try store.begin().id
        try store.measure(of: result, at: 9)
        try store.measure(of: other, at: 3)
        try store.measure(of: result, at: 3)
        try store.measure(of: result, at: 1) { $0.isDone = false }
        try store.measure(of: result, at: 1) { ($0.isDone, $0.isUploaded) = (true, true) }
        let (all, own) = try store.read {
            (
                try store.measurements.notUploaded(in: $0),
                try store.measurements.notUploaded(of: result, in: $0)
            )
        }
        #expect(all.map(\.id.number) == [2, 3, 1])
        #expect(own.map(\.id.number) == [3, 1])
    }

    @Test("those done after an instant are counted, without the instant itself")
    func doneCount() throws {
        for time: Int64 in [10, 20, 20, 30] { try store.measure(of: result, at: time) }
        try store.measure(of: result, at: 40) { $0.isDone = false }
        let counts = try store.read { snapshot in
            try [.min, 9, 10, 20, 29, 30, .max].map {
                try store.measurements.doneCount(after: .at($0), in: snapshot)
            }
        }
        #expect(counts == [4, 4, 3, 1, 1, 0, 0])
    }

    @Test("a measurement of a missing result is rejected")
    func orphan() throws {
        _ = try store.write { try store.results.delete([result], in: $0) }
        let refused = try code {
            _ = try store.measurements.insert(.ndt, of: result, at: .at(1), in: $0)
        }
        #expect(refused == .unknownResult)
        #expect(try store.read { try store.measurements.all(in: $0) } == [])
    }

    @Test(
        "a result deleted while it is being written: later events are errors, nothing comes back")
    func deletedMeanwhile() throws {
        let made = try store.measure(of: result) { $0.isDone = false }
        _ = try store.write { try store.results.delete([result], in: $0) }
        let codes = [
            try code { try store.measurements.update(made.id, in: $0) { $0.isDone = true } },
            try code { try store.measurements.noteUpload(.reportMissing, of: made.id, in: $0) },
            try code { try store.results.update(result, in: $0) { $0.dataUsageUpKiB = 1 } },
            try code { try store.results.markAsDone(result, in: $0) },
        ]
        let expected: [OONIStoreError.Code?] = [
            .unknownMeasurement, .unknownMeasurement, .unknownResult, .unknownResult,
        ]
        #expect(codes == expected)
        #expect(try store.listed() == [])
        #expect(try store.read { try store.verify(in: $0) } == [])
    }

    @Test("a missing website is rejected in a change, and registered in an insertion")
    func websites() throws {
        let made = try store.measure(of: result, url: "https://a.example/")
        let refused = try code {
            try store.measurements.update(made.id, in: $0) { $0.url = "https://b.example/" }
        }
        #expect(refused == .unknownUrl)
        #expect(try get(made.id)?.url == "https://a.example/")
        let urls = try store.read { try store.urls.all(in: $0) }
        #expect(urls == [.init("https://a.example/")])
    }

    @Test("a change that puts another measurement in place leaves the id, and counts right")
    func replaced() throws {
        let one = try store.measure(of: result) { $0.isDone = true }
        let other = try store.measure(of: result) { $0.isDone = false }
        _ = try store.write { try store.measurements.update(one.id, in: $0) { $0 = other } }
        #expect(try get(one.id)?.isDone == false)
        #expect(try get(other.id) == other)
        #expect(try store.read { try store.verify(in: $0) } == [])
        #expect(try store.read { try store.results.get(result, in: $0) }?.counts.done == 0)
    }

    @Test("a measurement that both failed and found something is counted once, as failed")
    func classes() throws {
        let made = try store.measure(of: result) {
            ($0.isDone, $0.isFailed, $0.isAnomaly) = (true, true, true)
        }
        // Neither is counted as long as it is not done.
        try store.measure(of: result) { ($0.isFailed, $0.isAnomaly) = (true, true) }
        #expect(made.outcome == .failed)
        let counts = try #require(try store.read { try store.results.get(result, in: $0) }).counts
        #expect([counts.measurements, counts.done] == [2, 1])
        #expect([counts.ok, counts.failed, counts.anomalies] == [0, 1, 0])
    }
}
