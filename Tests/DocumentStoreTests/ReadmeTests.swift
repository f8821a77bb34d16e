import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("README")
struct ReadmeTests {
    @Test("the program compiles and does what it says")
    func program() throws {
        let directory = try TemporaryDirectory()
        let path = directory("people.cblite2")

        // README begins
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        let people = DocumentCollection(.default)
        try file.write { transaction in
            _ = try people.save("ada", in: transaction) {
                try $0.writeJSON(#"{"name": {"first": "Ada", "last": "Lovelace"}, "age": 36}"#)
            }
        }
        let age = try file.read { snapshot in
            try people.get("ada", in: snapshot)?["age"]?.int
        }
        // README ends

        #expect(age == 36)
    }

    @Test("the program in the README is the one above")
    func sameText() throws {
        let here = URL(fileURLWithPath: #filePath)
        let lines = try String(contentsOf: here, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasSuffix("// README begins") })
        let last = try #require(lines.firstIndex { $0.hasSuffix("// README ends") })
        let program = lines[(first + 1)..<last].map { $0.dropFirst(8) }.joined(separator: "\n")
        let readme = try String(
            contentsOf: PackageDirectory.url.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains(program))
    }
}
