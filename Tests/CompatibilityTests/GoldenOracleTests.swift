import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// Python with its own SQLite and an independent Fleece decoder, as a second implementation.
enum PythonOracle {
    static let directory = GoldenFiles.file("../tools")
    static let script = PackageDirectory.url.appending(path: "Scripts/compare-with-oracle").path

    static let isPresent: Bool = {
        let hasFile = FileManager.default.fileExists(atPath: directory + "/fleece_oracle.py")
        if !hasFile {
            FileHandle.standardError.write(
                Data("SKIPPED: no fleece_oracle.py beside the golden files\n".utf8))
        }
        return hasFile && ChildProcess.exists("python3")
    }()
}

@Suite(
    "Real databases read by us and by Python",
    .enabled(if: PythonOracle.isPresent, "no python3 or no oracle"))
struct GoldenOracleTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "agree on every document, remote and conflict; the file's SHA-256 is unchanged",
        arguments: GoldenDatabase.all)
    func agreement(golden: GoldenDatabase) throws {
        try PythonOracle.compare(golden.copy(to: directory), golden, in: directory)
    }

    @Test(
        "agree on every document that we have changed, and on its remote revisions",
        arguments: GoldenDatabase.all, [false, true])
    func agreementAfterChanges(golden: GoldenDatabase, _ isUpgraded: Bool) throws {
        let edit = try GoldenEdit(golden, in: directory)
        if isUpgraded {
            let file = try GoldenDatabase.open(edit.path)
            try file.write { try $0.upgradeVersioning(to: .versionVectors) }
            file.close()
        }
        try edit.run()
        try PythonOracle.compare(edit.path, golden, in: directory)
    }
}

extension PythonOracle {
    /// Reads a file with this library and with Python, and compares the documents completely; does
    /// nothing without Python.
    static func compare(
        _ path: String, _ golden: GoldenDatabase, in directory: TemporaryDirectory
    ) throws {
        guard isPresent else { return }
        let before = try sha256(of: path)
        let ours = directory("ours.ndjson")
        let lines = try describeAll(path)
        try lines.joined().write(toFile: ours, atomically: true, encoding: .utf8)

        let result = try ChildProcess.run([script, path, Self.directory, ours])
        let documents = golden.counts.values.joined().reduce(0, +)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "\(documents) documents, sha256 \(before)\n")
        #expect(lines.count == documents)
        let left = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(Set(left).subtracting(["Attachments"]) == ["db.sqlite3"])
    }

    private static func sha256(of path: String) throws -> String {
        let program =
            "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())"
        return try ChildProcess.run(["python3", "-c", program, path + "/db.sqlite3"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A line for each document: the data that the script compares.
    private static func describeAll(_ path: String) throws -> [String] {
        let file = try DataFile(path: path)
        defer { file.close() }
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        var lines: [String] = []
        try file.read { snapshot in
            for name in try snapshot.collectionNames() {
                try DocumentCollection(name).forEach(options, in: snapshot) {
                    let document = try $0.get()
                    let history = try DocumentCollection(name).history(
                        of: document.id, in: snapshot)
                    lines.append(try describe(document, name, try #require(history)))
                }
            }
        }
        return lines
    }

    private static func describe(
        _ document: Document, _ name: CollectionName, _ history: DocumentHistory
    ) throws -> String {
        let remotes = history.remotes.sorted { $0.key < $1.key }.map { number, revision in
            #""\#(number)":"\#(text(revision))""#
        }
        let conflicts = try history.conflicts().map { other in
            let body = try json(other.properties?.value)
            return "[\(quoted(text(other.id))),\(other.flags.rawValue),\(other.remotes),\(body)]"
        }
        let parts = [
            quoted(name.description), quoted(document.id), "\(document.sequence)",
            "\(document.subsequence)", "\(document.flags.rawValue)",
            quoted(text(try #require(document.revisionID))),
            document.expiration.map(String.init) ?? "null", try json(document.body?.root),
            "{\(remotes.joined(separator: ","))}", "[\(conflicts.joined(separator: ","))]",
        ]
        return "[\(parts.joined(separator: ","))]\n"
    }

    /// All versions of a vector, not only the current one.
    private static func text(_ id: RevisionID) -> String {
        if case .vector(let vector) = id { vector.text } else { id.description }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = JSONText()
        quoted.append(quoted: text)
        return quoted.string
    }

    private static func json(_ value: FleeceValue?) throws -> String {
        guard let value else { return "null" }
        var writer = JSONWriter()
        try writer.write(value)
        return writer.text.string
    }
}
