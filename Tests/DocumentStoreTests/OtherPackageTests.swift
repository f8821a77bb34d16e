import Foundation
import StoreTestSupport
import Testing

/// Targets that prove what a package can build that is not this one.
@Suite("Another package")
struct OtherPackageTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()  // DocumentStoreTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    /// The folder of the modules that were built for these tests; nil where other tools than
    /// SwiftPM build them.
    private static var modules: URL? {
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        let places = bundles + CommandLine.arguments.prefix(1) + [Bundle.main.executablePath ?? ""]
        return places.map { URL(filePath: $0).deletingLastPathComponent() }
            .map { $0.appending(path: "Modules") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static func compile(_ files: [String], as module: String) throws -> String? {
        let modules = try #require(modules)
        let systemModules = ["CSQLite", "CSnowball", "CICU/include"]
            .flatMap { ["-I", root.appending(path: "Sources/\($0)").path] }
        let features = [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
            "NonisolatedNonsendingByDefault",
        ].flatMap { ["-enable-upcoming-feature", $0] }
        let (status, output) = try ChildProcess.run(
            ["swiftc", "-typecheck", "-package-name", "another", "-module-name", module]
                + ["-swift-version", "6", "-I", modules.path] + systemModules + features + files)
        return status == 0 ? nil : output
    }

    private static func sources(of target: String) throws -> [String] {
        let folder = root.appending(path: "Sources/\(target)").path
        return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { "\(folder)/\($0)" }
    }

    @Test(
        "stores of real applications use public API alone",
        .enabled(if: modules != nil && ChildProcess.exists("swiftc")),
        arguments: ["OONIStore", "ServerStore"])
    func publicAPI(_ target: String) throws {
        let errors = try Self.compile(try Self.sources(of: target), as: target)
        #expect(errors == nil)
    }

    @Test(
        "a package sees no more than that",
        .enabled(if: modules != nil && ChildProcess.exists("swiftc")))
    func packageAPI() throws {
        let folder = try TemporaryFolder()
        let program = folder("Program.swift")
        try "import FleeceLite\nlet same = \"a\".hasSameBytes(as: \"a\")\n"
            .write(toFile: program, atomically: true, encoding: .utf8)
        let errors = try #require(try Self.compile([program], as: "Program"))
        #expect(errors.contains("'package' protection level"))
    }
}
