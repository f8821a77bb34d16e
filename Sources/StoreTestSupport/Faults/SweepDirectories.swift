internal import Foundation
internal import SQLCore

/// The directories of a sweep's rounds, used in sequence, and the file system that watches them.
final class SweepDirectories {
    let vfs: FaultVFS
    private let directory: TemporaryDirectory
    private let template: String?
    private var serial = 0

    init(template: String?) throws {
        directory = try TemporaryDirectory()
        vfs = try FaultVFS.registered()
        self.template = template
        try vfs.watch(directory.path)
    }

    deinit {
        vfs.unwatch()
        vfs.unregister()
    }

    /// Creates a directory for a round, runs `body` and removes the directory.
    func withRound(
        _ plan: FaultRound.Plan, _ body: (inout FaultRound) throws -> Void
    ) throws {
        try withDirectory { path in
            defer { vfs.heal() }
            var round = FaultRound(directory: path, vfs: vfs, plan: plan)
            try body(&round)
        }
    }

    /// Creates a directory with a copy of the template, runs `body` and removes the directory.
    func withDirectory(_ body: (String) throws -> Void) throws {
        serial += 1
        let path = directory("\(serial)")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.copy(template, into: path)
        try body(path)
    }

    private static func copy(_ template: String?, into directory: String) throws {
        guard let template else { return }
        let name = (template as NSString).lastPathComponent
        try FileManager.default.copyItem(atPath: template, toPath: "\(directory)/\(name)")
    }

    /// Starts counting, and failing as planned.
    func arm(_ plan: FaultRound.Plan) {
        vfs.resetCounts()
        switch plan {
        case .count: break
        case .point(let number, let duration, let isTorn):
            vfs.fail(point: number, duration, isTorn: isTorn)
        case .space(let bytes): vfs.setSpaceLeft(bytes)
        }
    }
}
