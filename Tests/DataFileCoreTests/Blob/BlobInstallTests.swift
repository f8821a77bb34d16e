import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("Installing a blob")
struct BlobInstallTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    /// Fails the n-th call of a step.
    private final class Fault: Sendable {
        private let failing = Locked<(step: BlobStep, count: Int)?>(nil)
        private let passed = Locked<[BlobStep]>([])

        func fail(at step: BlobStep, after count: Int = 0) {
            failing.withLock { $0 = (step, count) }
        }

        func stop() { failing.withLock { $0 = nil } }

        var steps: [BlobStep] {
            passed.withLock { steps in
                defer { steps = [] }
                return steps
            }
        }

        @Sendable func happen(_ step: BlobStep) throws {
            passed.withLock { $0.append(step) }
            try failing.withLock { failing in
                guard let (wanted, count) = failing, wanted == step else { return }
                failing = (wanted, count - 1)
                guard count > 0 else {
                    throw StoreError(domain: .posix, code: Int(ENOSPC), "the disk is full")
                }
            }
        }
    }

    @Test("syncs the file before it is renamed, and then the directories")
    func order() throws {
        let fault = Fault()
        let file = try fixture.open { $0.blobFault = fault.happen }
        _ = try file.blobs.put([1])
        #expect(
            fault.steps == [
                .createDirectory, .make, .write, .sync, .rename, .syncDirectory, .syncBundle,
            ])
        _ = try file.blobs.put([2])
        #expect(fault.steps == [.make, .write, .sync, .rename, .syncDirectory])
        // Its writer may have crashed before the sync.
        _ = try file.blobs.put([2])
        #expect(fault.steps == [.sync, .syncDirectory])
    }

    @Test("that fails at any step leaves nothing, and succeeds the next time")
    func failures() throws {
        let fault = Fault()
        let file = try fixture.open { $0.blobFault = fault.happen }
        let part = [UInt8](repeating: 7, count: 100_000)
        for step in BlobStep.allCases {
            for isStreamed in [false, true] {
                try? FileManager.default.removeItem(atPath: fixture.attachments)
                fault.fail(at: step)
                let error = storeError {
                    guard isStreamed else { return _ = try file.blobs.put(part) }
                    let writer = try file.blobs.writer()
                    try writer.write(part)
                    _ = try writer.finish()
                }
                #expect(error?.code == Int(ENOSPC), "\(step)")
                #expect(fixture.names.allSatisfy { BlobDigest(fileName: $0) != nil }, "\(step)")
                fault.stop()
                let blob = try file.blobs.put(part)
                try file.blobs.verify(blob)
                #expect(fixture.names == [blob.digest.fileName], "\(step)")
            }
        }
    }

    @Test("that fails to sync the bundle's new directory tries again with the next blob")
    func bundle() throws {
        let fault = Fault()
        let file = try fixture.open { $0.blobFault = fault.happen }
        fault.fail(at: .syncBundle)
        storeError { _ = try file.blobs.put([1]) }
        fault.stop()
        _ = fault.steps
        _ = try file.blobs.put([1])
        #expect(fault.steps.contains(.syncBundle))
        _ = try file.blobs.put([2])
        #expect(!fault.steps.contains(.syncBundle))
    }

    @Test("ends a writer on a full disk, whose file is removed at once")
    func full() throws {
        let fault = Fault()
        let file = try fixture.open { $0.blobFault = fault.happen }
        fault.fail(at: .write, after: 3)
        let writer = try file.blobs.writer()
        let part = [UInt8](repeating: 7, count: 100_000)
        for _ in 0..<3 { try writer.write(part) }
        #expect(fixture.names.count == 1)
        storeError { try writer.write(part) }
        #expect(fixture.names == [])
        storeError(.notOpen) { _ = try writer.finish() }
    }

    @Test("into a directory that cannot be created, or was removed, is an error that names it")
    func noDirectory() throws {
        let file = try fixture.open()
        let writer = try file.blobs.writer()
        try writer.write([1])
        try FileManager.default.removeItem(atPath: fixture.attachments)
        let error = storeError { _ = try writer.finish() }
        #expect(error?.domain == .posix)
        #expect(error?.message.contains(fixture.attachments) == true)
        // The next put creates it again.
        #expect(try file.blobs.bytes(of: file.blobs.put([1])) == [1])
    }

    @Test("into a database that was replaced meanwhile is rejected")
    func replaced() throws {
        let file = try fixture.open()
        try FileManager.default.moveItem(
            atPath: fixture.engine.path, toPath: fixture.engine.directory("moved"))
        storeError(.cannotOpenFile) { _ = try file.blobs.put([1]) }
        try FileManager.default.moveItem(
            atPath: fixture.engine.directory("moved"), toPath: fixture.engine.path)
    }

    @Test(
        "without permission is an error that names the file and leaves nothing",
        .enabled(if: geteuid() != 0, "root may do everything"))
    func permission() throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        #expect(chmod(fixture.attachments, 0o555) == 0)
        let error = storeError { _ = try file.blobs.put([2]) }
        #expect(chmod(fixture.attachments, 0o755) == 0)
        #expect(error?.code == Int(EACCES))
        #expect(error?.message.contains(fixture.attachments) == true)
        #expect(fixture.names.count == 1)
    }

    @Test("concurrently with others who put the same and other blobs, from many threads")
    func threads() throws {
        let file = try fixture.open(grace: 3600)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                for number in 0..<25 {
                    let common = try file.blobs.put([UInt8(number)])
                    #expect(try file.blobs.bytes(of: common) == [UInt8(number)])
                    let writer = try file.blobs.writer()
                    try writer.write([UInt8(thread), UInt8(number)])
                    try file.blobs.verify(try writer.finish())
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try file.blobs.usage() == (25 + 8 * 25, 25 + 2 * 8 * 25))
        #expect(try file.blobs.verifyAll().isIntact)
        #expect(fixture.names.count == 225)
    }
}
