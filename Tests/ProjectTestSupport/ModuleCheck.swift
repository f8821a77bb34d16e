package import Foundation
internal import StoreTestSupport

/// Compiles files that use the modules of this build, like those of an application's target, and
/// returns the errors.
package enum ModuleCheck {
    /// Whether the modules and a compiler are available. Only SwiftPM's locations are known.
    package static var isPossible: Bool {
        (try? modules().checkResourceIsReachable()) == true && ChildProcess.exists("swiftc")
    }

    /// The compiler's messages for the files; empty if they compile.
    ///
    /// - Parameter options: additional compiler options.
    package static func errors(in files: [String], options: [String] = []) throws -> String {
        let maps = try moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        let checked = try ChildProcess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules().path] + options + maps
                + headers() + files)
        return checked.status == 0 ? "" : checked.output
    }

    /// The products of this build were not found.
    private struct NotBuilt: Error {}

    /// The directory of the build's products.
    private static func products() throws -> URL {
        guard let program = CrashHarness.program(named: "kvtool") else { throw NotBuilt() }
        return URL(fileURLWithPath: program).deletingLastPathComponent().resolvingSymlinksInPath()
    }

    /// The directory of the compiled modules of this build.
    package static func modules() throws -> URL { try products().appending(path: "Modules") }

    /// The module maps of the C targets that the modules import, here and in other packages:
    /// written by hand beside the sources, or generated beside the products.
    private static func moduleMaps() throws -> [String] {
        let products = try products()
        // …/.build/<platform>/debug, beside …/.build/checkouts.
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "checkouts")
        let sources = try children(checkouts).map { $0.appending(path: "Sources") }
        let targets = try ([PackageDirectory.url.appending(path: "Sources")] + sources)
            .flatMap(children)
        let generated = try children(products).filter { $0.pathExtension == "build" }
        return (targets + targets.map { $0.appending(path: "include") } + generated)
            .map { $0.appending(path: "module.modulemap").path }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// Where the headers of libpq are, which is no directory of the system on Debian.
    private static func headers() throws -> [String] {
        let found = try ChildProcess.run(["pkg-config", "--cflags-only-I", "libpq"])
        return found.output.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
    }

    private static func children(_ directory: URL) throws -> [URL] {
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
    }
}
