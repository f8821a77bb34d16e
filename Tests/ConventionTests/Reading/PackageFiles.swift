import Foundation

/// The files of this package, found from where this very file lies and read once.
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

    /// What Package.swift says; nothing if it cannot be read, which a test would tell.
    static let manifest = PackageManifest(
        (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? "")

    /// The names of the directories directly below `Sources`.
    static func targets() throws -> [String] {
        try names(in: "Sources")
    }

    /// What a directory of the package holds, sorted; an empty path is the root.
    static func names(in directory: String) throws -> [String] {
        let path = root.appending(path: directory).path
        return try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { !$0.hasPrefix(".") }
            .sorted()
    }

    /// By the name of a target below `Sources`, the paths of its directories, relative to it; none
    /// if the files cannot be read, which a test would tell.
    static let sourceDirectories = sourceDirectories(((try? all.get()) ?? []).map(\.path))

    /// The directories that hold the files, or directories with them, by target.
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

    /// Whether the package has a file or directory of this path.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// A page or manifest of the package.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func paths(below directory: String) throws -> [String] {
        let path = root.appending(path: directory).path
        guard let enumerator = FileManager.default.enumerator(atPath: path) else {
            throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
        }
        return enumerator.compactMap { $0 as? String }
            // The programs of tutorials are other programs.
            .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
            .map { directory + "/" + $0 }
    }
}
