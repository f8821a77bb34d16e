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
                try $0.writeJSON(#"{"name": "Ada Lovelace", "age": 36}"#)
            }
            _ = try people.save("grace", in: transaction) {
                try $0.writeJSON(#"{"name": "Grace Hopper", "age": 45}"#)
            }
        }
        let query = try Query("SELECT name FROM _ WHERE age > $age ORDER BY name")
        let names = try file.read { snapshot in
            try query.rows(in: snapshot, ["age": 40]).all().map { $0["name"].string ?? "" }
        }
        // README ends

        #expect(names == ["Grace Hopper"])
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
