import Foundation
import StoreTestSupport

/// A disk of a few megabytes: a file system in memory, which only a script sees and which goes
/// when that ends.
struct SmallDisk {
    /// Where the script finds it. Outside the script this is an empty directory.
    let path: String
    private let kilobytes: Int

    init(_ directory: TemporaryDirectory, kilobytes: Int) throws {
        path = directory("disk")
        self.kilobytes = kilobytes
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    /// Whether there can be one: it takes name spaces of Linux that this user may make.
    static let isPossible: Bool = {
        if let directory = try? TemporaryDirectory(),
            let outcome = try? SmallDisk(directory, kilobytes: 64).run("exit 0"),
            outcome.status == 0
        {
            return true
        }
        Command.reportMissing("no small disk can be mounted (unshare --user --mount is needed)")
        return false
    }()

    /// Runs a shell script in which `$KVTOOL` is the tool and `$DISK` the disk.
    func run(_ script: String, _ arguments: String...) throws -> Command.Outcome {
        try Kvtool.shell(
            #"exec unshare --user --map-root-user --mount /bin/sh -c "$MOUNTED" sh "$@""#,
            arguments,
            environment: [
                "DISK": path, "SIZE": "\(kilobytes)k", "SCRIPT": script,
                "MOUNTED": #"mount -t tmpfs -o size="$SIZE" tmpfs "$DISK" && eval "$SCRIPT""#,
            ])
    }
}
