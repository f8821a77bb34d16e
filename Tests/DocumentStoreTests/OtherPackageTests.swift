import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// Targets of another package, which show what can be built with the public API.
@Suite("Another package")
struct OtherPackageTests {
    private static func errors(in files: [String], as module: String) throws -> String {
        let features = [
            "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
            "NonisolatedNonsendingByDefault",
        ].flatMap { ["-enable-upcoming-feature", $0] }
        return try ModuleCheck.errors(
            in: files, options: ["-package-name", "another", "-module-name", module] + features)
    }

    private static func sources(of target: String) throws -> [String] {
        let directory = PackageDirectory.url.appending(path: "Sources/\(target)").path
        return try FileManager.default.subpathsOfDirectory(atPath: directory).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { "\(directory)/\($0)" }
    }

    @Test(
        "stores of real applications use public API only",
        .enabled(if: ModuleCheck.isPossible),
        arguments: ["OONIStore", "ServerStore"])
    func publicAPI(_ target: String) throws {
        #expect(try Self.errors(in: Self.sources(of: target), as: target) == "")
    }

    @Test(
        "a package cannot use more than that",
        .enabled(if: ModuleCheck.isPossible))
    func packageAPI() throws {
        let directory = try TemporaryDirectory()
        let program = directory("Program.swift")
        try "import FleeceLite\nlet same = \"a\".hasSameBytes(as: \"a\")\n"
            .write(toFile: program, atomically: true, encoding: .utf8)
        let errors = try Self.errors(in: [program], as: "Program")
        #expect(errors.contains("'package' protection level"))
    }

    @Test(
        "the README's program needs only the product DocumentStore",
        .enabled(if: ModuleCheck.isPossible))
    func readme() throws {
        let readme = try String(
            contentsOf: PackageDirectory.url.appending(path: "README.md"), encoding: .utf8)
        let program = try #require(
            readme.firstMatch(of: #/```swift\n(import DocumentStore(?s).*?\n)```/#)
        ).1
        let imports = program.split(separator: "\n").filter { $0.contains("import ") }
        #expect(imports == ["import DocumentStore"])
        let directory = try TemporaryDirectory()
        let path = directory("main.swift")
        try program.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try Self.errors(in: [path], as: "Program") == "")
    }
}
