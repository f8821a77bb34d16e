import DocumentStore
import Testing

@testable import OONIStore

@Suite("Bodies written by hand")
struct BodyCodingTests {
    /// Writes and reads what is in it by `Codable`.
    private struct Wrapper<Value: Codable>: Codable {
        var value: Value

        init(_ value: Value) { self.value = value }

        init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private func check<Value: FleeceCodable & Equatable>(_ value: Value) throws {
        let bytes = try FleeceRowEncoder().encode(value)
        #expect(bytes == (try FleeceRowEncoder().encode(Wrapper(value))))
        let decoder = FleeceRowDecoder()
        #expect(try decoder.decode(Value.self, from: bytes) == value)
        #expect(try decoder.decode(Wrapper<Value>.self, from: bytes).value == value)
    }

    private var measurement: OONIStore.Measurement {
        OONIStore.Measurement(
            id: .init(.init(7), 12), testName: .ndt, startTime: .init(milliseconds: 1_700_000_000))
    }

    private var result: OONIStore.TestResult {
        OONIStore.TestResult(
            id: .init(7), descriptor: .init(name: "websites"),
            startTime: .init(milliseconds: 1_700_000_000))
    }

    @Test("a started measurement has the bytes of Codable")
    func bareMeasurement() throws { try check(measurement) }

    @Test("a measurement with all that there can be has the bytes of Codable")
    func fullMeasurement() throws {
        var full = measurement
        full.runtimeSeconds = 1.25
        (full.isDone, full.isUploaded, full.isFailed) = (true, true, true)
        full.failureMessage = "it failed"
        (full.isUploadFailed, full.uploadFailureMessage) = (true, "no network")
        (full.isRerun, full.isAnomaly) = (true, true)
        (full.reportID, full.uid) = ("20260818T000000Z_ndt_DE_1000", "u")
        full.verificationStatus = .verified
        full.testKeys = .init(
            summary: .init(upload: 1, download: 2.5, ping: 3),
            simple: .init(medianBitrate: 4, upload: 5, download: 6))
        full.url = "https://example.org/"
        full.rerunNetwork = .init(name: "N", asn: "AS1", countryCode: "DE", type: .wifi)
        try check(full)
    }

    @Test("a started result has the bytes of Codable")
    func bareResult() throws { try check(result) }

    @Test("a result with all that there can be has the bytes of Codable")
    func fullResult() throws {
        var full = result
        full.descriptor = .init(
            name: "websites", key: .init("10471", revision: 3))
        (full.isViewed, full.isDone) = (true, true)
        (full.dataUsageUpKiB, full.dataUsageDownKiB) = (1_000_000, 2_000_000)
        full.failureMessage = "at the start"
        (full.networkID, full.taskOrigin, full.runID) = (.init(3), .autorun, "run")
        full.expirationDate = .init(milliseconds: 1_800_000_000_000)
        full.counts = .init()
        (full.counts.measurements, full.counts.done, full.counts.ok) = (7, 6, 1)
        (full.counts.failed, full.counts.anomalies) = (2, 3)
        (full.counts.notUploaded, full.counts.uploadFailed) = (4, 5)
        try check(full)
    }
}
