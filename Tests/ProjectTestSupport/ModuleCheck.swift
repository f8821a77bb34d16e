package import Foundation
internal import StoreTestSupport

/// What the compiler says of files that are written against the modules of this build, as those of
/// an application's target are.
package enum ModuleCheck {
    /// Whether there are modules, and a compiler: other tools than SwiftPM put them elsewhere.
    package static var isPossible: Bool {
        (try? modules().checkResourceIsReachable()) == true && ChildProcess.exists("swiftc")
    }

    /// What the compiler says of the files; empty if they are right.
    ///
    /// - Parameter options: more options of the compiler.
    package static func errors(in files: [String], options: [String] = []) throws -> String {
        let maps = try moduleMaps().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        let checked = try ChildProcess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules().path] + options + maps
                + files)
        return checked.status == 0 ? "" : checked.output
    }

    /// No products of this build were found.
    private struct NotBuilt: Error {}

    /// The directory of what was built.
    private static func products() throws -> URL {
        guard let program = CrashHarness.program(named: "kvtool") else { throw NotBuilt() }
        return URL(fileURLWithPath: program).deletingLastPathComponent().resolvingSymlinksInPath()
    }

    /// The directory of the compiled modules of this build.
    package static func modules() throws -> URL { try products().appending(path: "Modules") }

    /// Those of the C targets that the modules import, here and in swift-crypto.
    private static func moduleMaps() throws -> [String] {
        let own = ["CSQLite", "CICU/include", "CSnowball"]
            .map { PackageDirectory.url.appending(path: "Sources/\($0)/module.modulemap").path }
        // …/.build/<platform>/debug, beside …/.build/checkouts.
        let checkouts = try products().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "checkouts/swift-crypto/Sources")
        let crypto = ["CXKCP", "CXKCPShims", "CCryptoBoringSSLShims", "CCryptoBoringSSL"]
            .map { checkouts.appending(path: "\($0)/include/module.modulemap").path }
        return own + crypto.filter { FileManager.default.fileExists(atPath: $0) }
    }
}
