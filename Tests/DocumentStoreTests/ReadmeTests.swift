import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("README")
struct ReadmeTests {
    private struct Person: Codable, Sendable {
        var name: String
        var age: Int
    }

    @Test("the program compiles and gives the results that the page shows")
    func program() throws {
        let directory = try TemporaryDirectory()
        let path = directory("people.cblite2")

        // README begins
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        let people = DocumentCollection(.default).of(Person.self)
        try file.write { transaction in
            _ = try people.save(Person(name: "Ada Lovelace", age: 36), id: "ada", in: transaction)
            _ = try people.save(Person(name: "Grace Hopper", age: 45), id: "grace", in: transaction)
        }
        let query = try Query("SELECT name FROM _ WHERE age > $age ORDER BY name")
        let names = try file.read { snapshot in
            try query.rows(in: snapshot, ["age": 40]).all().map { $0["name"].string ?? "" }
        }
        // README ends

        #expect(names == ["Grace Hopper"])
    }

    @Test(
        "the program of the README and the front page of the documentation is the one above",
        arguments: ["README.md", "Sources/DocumentStore/DocumentStore.docc/DocumentStore.md"])
    func sameText(_ page: String) throws {
        let here = URL(fileURLWithPath: #filePath)
        let lines = try String(contentsOf: here, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasSuffix("// README begins") })
        let last = try #require(lines.firstIndex { $0.hasSuffix("// README ends") })
        let program = lines[(first + 1)..<last].map { $0.dropFirst(8) }.joined(separator: "\n")
        let text = try String(
            contentsOf: PackageDirectory.url.appending(path: page), encoding: .utf8)
        #expect(text.contains(program))
    }
}
