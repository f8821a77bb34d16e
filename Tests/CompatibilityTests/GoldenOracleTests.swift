import DataFileCore
import FleeceLite
import Foundation
import StoreTestSupport
import Testing

/// Python with its own SQLite and an independent decoder of Fleece, as a second opinion.
enum PythonOracle {
    static let folder = GoldenFiles.file("../tools")
    static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scripts/compare-with-oracle").path

    static let isPresent: Bool = {
        let hasFile = FileManager.default.fileExists(atPath: folder + "/fleece_oracle.py")
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
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "agree on every document of every collection, and the file's SHA-256 is unchanged",
        arguments: GoldenDatabase.all)
    func agreement(golden: GoldenDatabase) throws {
        let path = try golden.copy(to: folder)
        let before = try sha256(of: path)
        let ours = folder("ours.ndjson")
        let lines = try describeAll(path)
        try lines.joined().write(toFile: ours, atomically: true, encoding: .utf8)

        let result = try ChildProcess.run([PythonOracle.script, path, PythonOracle.folder, ours])
        let documents = golden.counts.values.joined().reduce(0, +)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "\(documents) documents, sha256 \(before)\n")
        #expect(lines.count == documents)
        let left = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(Set(left).subtracting(["Attachments"]) == ["db.sqlite3"])
    }

    private func sha256(of path: String) throws -> String {
        let program =
            "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())"
        return try ChildProcess.run(["python3", "-c", program, path + "/db.sqlite3"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A line for each document: what the script compares.
    private func describeAll(_ path: String) throws -> [String] {
        let file = try DataFile(path: path)
        defer { file.close() }
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        var lines: [String] = []
        try file.read { snapshot in
            for name in try snapshot.collectionNames() {
                try Collection(name).forEach(options, in: snapshot) {
                    lines.append(try describe(try $0.get(), name))
                }
            }
        }
        return lines
    }

    private func describe(_ document: Document, _ name: CollectionName) throws -> String {
        var line = JSONText()
        line.append("[")
        line.append(quoted: name.description)
        line.append(",")
        line.append(quoted: document.id)
        for number in [
            document.sequence, Int64(document.subsequence), Int64(document.flags.rawValue),
        ] {
            line.append(",")
            line.append(number)
        }
        line.append(",")
        line.append(quoted: try #require(document.revisionID).description)
        line.append(",")
        if let expiration = document.expiration {
            line.append(expiration)
        } else {
            line.append("null")
        }
        line.append(",")
        var body = JSONWriter()
        if let root = document.body?.root { try body.write(root) }
        return line.string + (document.body == nil ? "null" : body.text.string) + "]\n"
    }
}
