import SQLCore
import DocumentStore
internal import StorePlatform
import Testing

@testable import OONIStore

@Suite("Uploads")
struct UploadTests {
    private let store: OONIStore
    private let result: OONIStore.TestResult.ID

    init() throws {
        store = try OONIStore.inMemory()
        result = try store.begin().id
    }

    private func note(
        _ outcome: OONIStore.Measurements.UploadOutcome, _ id: OONIStore.Measurement.ID
    ) throws -> OONIStore.Measurement? {
        try store.write { try store.measurements.noteUpload(outcome, of: id, in: $0) }
    }

    private var counts: OONIStore.Counts? {
        get throws { try store.read { try store.results.get(result, in: $0) }?.counts }
    }

    @Test("one that failed is tried again; once it is uploaded the failure is cleared")
    func failedThenUploaded() throws {
        let id = try store.measure(of: result).id
        let failed = try note(.failed(message: "offline"), id)
        #expect(failed?.isUploadFailed == true && failed?.uploadFailureMessage == "offline")
        #expect(failed?.isMissingUpload == true)
        #expect(try counts?.hasUploadFailure == true)
        let done = try note(.uploaded(uid: "u7", verification: .verified), id)
        #expect(done?.isUploaded == true && done?.isUploadFailed == false)
        #expect(done?.uploadFailureMessage == nil)
        #expect(done?.uid == "u7" && done?.verificationStatus == .verified)
        #expect(try counts?.isAllUploaded == true)
        #expect(try counts?.hasUploadFailure == false)
    }

    @Test("one without a report is removed, and its result counts it no more")
    func missing() throws {
        let id = try store.measure(of: result).id
        #expect(try note(.reportMissing, id) == nil)
        #expect(try counts == .init())
        #expect(try store.read { try store.measurements.get(id, in: $0) } == nil)
    }

    @Test("one whose report cannot be read has failed, and is not tried again")
    func unreadable() throws {
        let id = try store.measure(of: result).id
        let noted = try note(.reportUnreadable(message: "no JSON"), id)
        #expect(noted?.isDone == false && noted?.isFailed == true)
        #expect(noted?.failureMessage == "no JSON")
        #expect(try store.read { try store.measurements.notUploaded(in: $0) } == [])
    }

    @Test("a sweep uploads in the order of time, and leaves what failed")
    func sweep() async throws {
        for time: Int64 in [3, 1, 2] { try store.measure(of: result, at: time) }
        let seen = Locked<[Int64]>([])
        let (uploaded, left) = try await store.uploadMissing { measurement in
            seen.withLock { $0.append(measurement.startTime.milliseconds) }
            return measurement.startTime == .at(2)
                ? .failed(message: nil) : .uploaded(uid: nil, verification: nil)
        }
        #expect((uploaded, left) == (2, 1))
        #expect(seen.withLock { $0 } == [1, 2, 3])
    }

    @Test("a sweep ends after five consecutive failures; a success restarts the count")
    func aborted() async throws {
        for time: Int64 in 1...20 { try store.measure(of: result, at: time) }
        let tries = Locked(0)
        let (uploaded, left) = try await store.uploadMissing { measurement in
            tries.withLock { $0 += 1 }
            return measurement.startTime == .at(5)
                ? .uploaded(uid: nil, verification: nil) : .failed(message: "offline")
        }
        #expect((uploaded, left) == (1, 19))
        #expect(tries.withLock { $0 } == 10)
    }

    @Test("what is deleted while it is uploaded stays deleted, and the sweep continues")
    func deletedMeanwhile() async throws {
        let other = try store.begin().id
        try store.measure(of: result, at: 1)
        try store.measure(of: other, at: 2)
        let (_, left) = try await store.uploadMissing { [store] measurement in
            if measurement.id.result.number == 1 {
                _ = try await store.write { try store.results.delete([.init(1)], in: $0) }
            }
            return .uploaded(uid: nil, verification: nil)
        }
        #expect(left == 0)
        #expect(try store.listed() == [2])
        #expect(try await store.read { try store.verify(in: $0) } == [])
    }

    @Test("an error of an upload counts as its failure; a cancelled sweep changes nothing")
    func thrown() async throws {
        struct Offline: Error {}
        let id = try store.measure(of: result).id
        let (uploaded, left) = try await store.uploadMissing { _ in throw Offline() }
        #expect((uploaded, left) == (0, 1))
        let known = try await store.read { [store] in try store.measurements.get(id, in: $0) }
        #expect(known?.isUploadFailed == true && known?.uploadFailureMessage == "Offline()")
        let other = try store.measure(of: result, at: 2).id
        let task = Task { [store] in
            try await store.uploadMissing { measurement in
                guard measurement.id == other else { return .failed(message: "again") }
                throw CancellationError()
            }
        }
        let end = await task.result
        #expect(throws: CancellationError.self) { try end.get() }
        let after = try await store.read { [store] in try store.measurements.get(other, in: $0) }
        #expect(after?.isUploadFailed == false)
    }

    @Test("a removed measurement returns its files; a log file is removed with its last user")
    func deletedFiles() throws {
        let one = try store.measure(.tor, of: result).id
        let other = try store.measure(.tor, of: result).id
        try store.measure(.signal, of: result)
        let first = try store.write { try store.measurements.delete(one, in: $0) }
        #expect(first.measurements == [one] && first.results == [])
        #expect(first.fileNames == ["Measurement/1_tor.json"])
        let second = try store.write { try store.measurements.delete(other, in: $0) }
        #expect(second.fileNames == ["Measurement/2_tor.json", "Measurement/1_tor.log"])
        let none = try store.write { try store.measurements.delete(other, in: $0) }
        #expect(none == .init())
    }

    @Test("what is deleted before its turn is not offered, nor what another sweep has uploaded")
    func beforeItsTurn() async throws {
        let ids = try (1...4).map { try store.measure(of: result, at: $0).id }
        let seen = Locked<[Int64]>([])
        let (uploaded, left) = try await store.uploadMissing { [store] measurement in
            seen.withLock { $0.append(measurement.id.number) }
            if measurement.id == ids[0] {
                try await store.write { transaction in
                    _ = try store.measurements.delete(ids[1], in: transaction)
                    try store.measurements.noteUpload(
                        .uploaded(uid: "x", verification: .verified), of: ids[2], in: transaction)
                    try store.measurements.update(ids[3], in: transaction) { $0.reportID = "new" }
                }
            }
            #expect(measurement.id != ids[3] || measurement.reportID == "new")
            return .uploaded(uid: nil, verification: nil)
        }
        #expect((uploaded, left) == (2, 0))
        #expect(seen.withLock { $0 } == [1, 4])
        // What OONI has said of it once is not forgotten.
        let again = try note(.uploaded(uid: nil, verification: nil), ids[2])
        #expect(again?.verificationStatus == .verified && again?.uid == "x")
    }

    @Test("a measurement that is started again is a new one, with its network")
    func rerun() throws {
        let first = try store.measure(.webConnectivity, of: result, url: "https://a.example/")
        let again = try store.write {
            try store.measurements.rerun(first.id, in: .init(asn: "AS2"), at: .at(7), in: $0)
        }
        #expect(again.id.number == 2 && again.isRerun && again.rerunNetwork?.asn == "AS2")
        #expect(again.url == first.url && !again.isDone && again.startTime == .at(7))
        let kept = try store.read { try store.measurements.get(first.id, in: $0) }
        #expect(kept == first)
        #expect(try counts?.measurements == 2)
    }
}
