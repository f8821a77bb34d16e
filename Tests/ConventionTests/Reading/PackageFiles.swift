import Foundation

/// The files of this package, located relative to this source file and read once.
enum PackageFiles {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()  // Reading
        .deletingLastPathComponent()  // ConventionTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    /// Every Swift file below `Sources` and `Tests`, by path.
    static let all: Result<[SourceFile], any Error> = Result {
        try (paths(below: "Sources") + paths(below: "Tests")).sorted().map { path in
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            return SourceFile(path: path, text: text)
        }
    }

    /// The contents of Package.swift; empty if it cannot be read, which makes tests fail.
    static let manifest = PackageManifest(
        (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? "")

    /// The names of the directories directly below `Sources`.
    static func targets() throws -> [String] {
        try names(in: "Sources")
    }

    /// The names in a directory of the package, sorted; an empty path is the root.
    static func names(in directory: String) throws -> [String] {
        let path = root.appending(path: directory).path
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { !$0.hasPrefix(".") }
            .sorted()
    }

    /// The paths of the directories of each target below `Sources`, relative to the target; empty
    /// if the files cannot be read, which makes tests fail.
    static let sourceDirectories = sourceDirectories(((try? all.get()) ?? []).map(\.path))

    /// The directories that contain the files, and their parent directories, by target.
    static func sourceDirectories(_ paths: [String]) -> [String: Set<String>] {
        var directories: [String: Set<String>] = [:]
        for path in paths where path.hasPrefix("Sources/") {
            let parts = path.split(separator: "/").dropFirst().dropLast()
            guard let target = parts.first.map(String.init) else { continue }
            let names = parts.dropFirst()
            for count in 0...names.count {
                let directory = names.prefix(count).joined(separator: "/")
                directories[target, default: []].formUnion(count == 0 ? [] : [directory])
            }
        }
        return directories
    }

    /// Whether the package has a file or directory with this path.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The text of a page or manifest of the package.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func paths(below directory: String) throws -> [String] {
        let path = root.appending(path: directory).path
        guard let enumerator = FileManager.default.enumerator(atPath: path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
        return enumerator.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") }
            .map { directory + "/" + $0 }
    }
}
