internal import Foundation
internal import SampleData

/// Runs a workload again and again and cuts the power at one of its I/O points, then shows what a
/// disk could hold after it.
///
/// What a workload wrote and synced is on the disk. Of what it wrote since, a random part is: the
/// writes are torn at 512 bytes and come in any order. The index of a log (`-shm`) is gone. A file
/// that was deleted is gone for sure only if its directory was synced, which SQLite does not do for
/// the journal of a database that it has just made: so give the workload a file that is there.
/// ```swift
/// try PowerLossSweep(seed: 7).run(copying: directory("people.cblite2")) { round in
///     …
/// } check: { image in
///     #expect(try isWhole(image("people.cblite2")), "\(image)")
/// }
/// ```
public struct PowerLossSweep: Sendable {
    /// What the random numbers begin with.
    public var seed: UInt64
    /// Every how many points the power goes; 1 for all.
    public var stride = 1
    /// How many disks are shown for each.
    public var imagesPerPoint = 4

    /// Cuts the power at each point.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// A disk after the power has gone.
    public struct Image: Sendable, CustomStringConvertible {
        /// Where it is: a directory with what the round's directory would have.
        public let directory: String
        /// The point at which the power went.
        public let point: Int
        /// What made this disk of all that could be: the same seed makes it again.
        public let seed: UInt64

        /// The path of a file in it.
        public func callAsFunction(_ name: String) -> String { "\(directory)/\(name)" }

        /// The point and the seed: the comment of an expectation.
        public var description: String { "power lost at point \(point), image seed \(seed)" }
    }

    /// Runs the workload once for each point, and checks disks of each.
    ///
    /// - Parameters:
    ///   - template: a file or directory that is on the disk before, copied for each round.
    ///   - workload: what is under way; what it throws once the power has gone counts for nothing.
    ///   - check: what must hold on each disk.
    ///
    /// Returns how many disks were checked. Throws what `check` throws, or the workload in the dry
    /// run that counts the points.
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
        // One more than there are: the power goes when the workload is done.
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
                    // What was never opened lies on the disk as it did: as in the template.
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
    /// The directory without links, as SQLite names the files in it.
    fileprivate var realDirectory: String { FaultRouter.resolved(directory) }
}
