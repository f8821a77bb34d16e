import DataFileCore
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing

/// Remote numbers in documents that the file's list of remotes lacks.
@Suite("Numbers of remotes")
struct RemoteNumberTests {
    let directory: TemporaryDirectory
    let people = DocumentCollection(.default)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func makeFile(_ versioning: Versioning) throws -> DataFile {
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        return try DataFile(path: directory("remotes.cblite2"), options: options)
    }

    private func revision(_ versioning: Versioning) throws -> RevisionID {
        try RevisionID(
            versioning == .versionVectors ? "18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAAA" : "1-0a0b")
    }

    @Test(
        "an unknown one keeps its revision while the document is changed and deleted",
        arguments: [Versioning.treesInExtra, .versionVectors], [1, 42, 65_535])
    func unknown(_ versioning: Versioning, _ remote: Int) throws {
        let file = try makeFile(versioning)
        let theirs = try revision(versioning)
        try file.write { transaction in
            _ = try people.insert("ada", history: [theirs], remote: remote, in: transaction) {
                try $0.writeJSON(#"{"n":1}"#)
            }
            _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"n":2}"#) }
        }
        func remotes() throws -> [Int: RevisionID]? {
            try file.read { try people.history(of: "ada", in: $0)?.remotes }
        }
        #expect(try remotes() == [remote: theirs])
        _ = try file.write { try people.delete("ada", in: $0) }
        #expect(try remotes() == [remote: theirs])
        #expect(try file.read { try $0.remotes() } == [:], "the list says nothing of it")
    }

    @Test(
        "one that a row cannot store is rejected",
        arguments: [Versioning.treesInExtra, .versionVectors], [0, -1, 65_536, .max, .min])
    func impossible(_ versioning: Versioning, _ remote: Int) throws {
        let file = try makeFile(versioning)
        let error = #expect(throws: StoreError.self) {
            try file.write { transaction in
                let theirs = try revision(versioning)
                _ = try people.insert("ada", history: [theirs], remote: remote, in: transaction) {
                    try $0.writeJSON(#"{"n":1}"#)
                }
            }
        }
        #expect(error?.has(.invalidParameter) == true)
        #expect(try file.read { try people.get("ada", in: $0) } == nil)
    }
}
