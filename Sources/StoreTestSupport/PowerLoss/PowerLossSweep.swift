internal import Foundation
internal import SampleData

/// Runs a workload repeatedly, cuts the power at one of its I/O points, and generates possible
/// states of the disk after it.
///
/// Synced writes are on the disk. Of the writes since the last sync, a random part is: writes are
/// torn at 512 bytes and arrive in any order. The wal-index (`-shm`) is gone. A deleted file is
/// certainly gone only if its directory was synced, which SQLite does not do for the journal of a
/// database that it has just created: so give the workload an existing file.
///
/// ```swift
/// let images = try PowerLossSweep(seed: 7).run(copying: peoplePath) { round in
///     try addPerson(to: round("people.cblite2"))
/// } check: { image in
///     let isSound = try isWhole(image("people.cblite2"))
///     #expect(isSound, "\(image)")
/// }
/// #expect(images > 0)
/// ```
///
/// Syncs are counted but not passed to the system. Use ``stride`` for workloads with many points.
/// The workload should be deterministic: no threads, no random numbers without a seed.
public struct PowerLossSweep: Sendable {
    /// The seed of the random numbers: the same seed and workload give the same images.
    public var seed: UInt64
    /// The distance between the points at which the power is cut; 1 for all (default).
    public var stride = 1
    /// The number of disk images for each point; 4 by default. More of them find rarer orders of
    /// writes.
    public var imagesPerPoint = 4

    /// Creates a sweep that cuts the power at each point.
    ///
    /// - Parameter seed: the seed of the random numbers.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// A possible state of the disk after a power loss.
    ///
    /// It contains the files that the workload has opened, and those of the template.
    public struct Image: Sendable, CustomStringConvertible {
        /// The directory with the image of the round's directory.
        ///
        /// It is removed after the check.
        public let directory: String
        /// The point at which the power was cut, from 1; the last one is after the end of the
        /// workload.
        public let point: Int
        /// The seed of this image; the same seed generates it again.
        public let seed: UInt64

        /// The path of a file in it.
        ///
        /// - Parameter name: the name of the file, as in the round's directory.
        public func callAsFunction(_ name: String) -> String { "\(directory)/\(name)" }

        /// The point and the seed: the comment of an expectation.
        public var description: String { "power lost at point \(point), image seed \(seed)" }
    }

    /// Runs the workload once for each point, and checks disk images for each.
    ///
    /// ```swift
    /// var sweep = PowerLossSweep(seed: 1)
    /// (sweep.stride, sweep.imagesPerPoint) = (5, 10)
    /// try sweep.run(copying: peoplePath) { round in
    ///     try addPerson(to: round("people.cblite2"))
    /// } check: { image in
    ///     let file = try DataFile(path: image("people.cblite2"))
    ///     let ada = try file.read { try people.get("ada", in: $0) }
    ///     #expect(ada != nil, "\(image)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - template: a file or directory that is on the disk before, copied for each round; nil for
    ///     an empty directory.
    ///   - workload: the code under test; errors that it throws after the power loss are ignored.
    ///   - check: checks a disk image, with a file system that does not fail.
    /// - Returns: the number of checked images.
    /// - Throws: errors of `check`, or of the workload in the dry run that counts the points.
    @discardableResult
    public func run(
        copying template: String? = nil, workload: (FaultRound) throws -> Void,
        check: (Image) throws -> Void
    ) throws -> Int {
        let rounds = try SweepDirectories(template: template)
        rounds.vfs.setSkipsSyncs(true)
        defer { rounds.vfs.setShadow(nil) }
        var points = 0
        try rounds.withRound(.count) { round in
            rounds.arm(.count)
            try workload(round)
            points = rounds.vfs.pointCount
        }
        var random = SeededGenerator(seed: seed)
        var images = 0
        // One point more: the power is cut after the workload.
        for point in Swift.stride(from: 1, through: points + 1, by: max(1, stride)) {
            let plan = FaultRound.Plan.point(point, .forGood, isTorn: true)
            try rounds.withRound(plan) { round in
                rounds.vfs.setShadow(ShadowDisk())
                rounds.arm(plan)
                do { try workload(round) } catch  where rounds.vfs.fault != nil {}
                guard let disk = rounds.vfs.currentShadow() else { return }
                rounds.vfs.setShadow(nil)
                rounds.vfs.heal()
                for _ in 0..<imagesPerPoint {
                    images += 1
                    // A file that was never opened is on the disk as in the template.
                    try rounds.withDirectory { path in
                        let image = Image(directory: path, point: point, seed: random.next())
                        try disk.writeImage(of: round.realDirectory, to: path, seed: image.seed)
                        try check(image)
                    }
                }
            }
        }
        return images
    }
}

extension FaultRound {
    /// The directory without symbolic links, as SQLite names the files in it.
    fileprivate var realDirectory: String { FaultRouter.resolved(directory) }
}
