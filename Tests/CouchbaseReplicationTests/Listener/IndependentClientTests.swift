import CouchbaseReplication
import DataFileCore
import FleeceLite
import Foundation
import ProjectTestSupport
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// pythonblip, which has nothing in common with this project.
private enum PythonBLIP {
    /// `Scripts/bootstrap` installs it.
    static let program: String? = {
        let path = PackageDirectory.url.path + "/.build/pythonblip/bin/blipctl"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
        FileHandle.standardError.write(Data("SKIPPED: there is no pythonblip\n".utf8))
        return nil
    }()
}

@Suite(
    "A client by others", .enabled(if: PythonBLIP.program != nil), .timeLimit(.minutes(20)))
struct IndependentClientTests {
    @Test("pulls a collection, and stores its checkpoint")
    func pull() async throws {
        let things = DocumentCollection(try CollectionName("sc.things"))
        try await Listening.run(versioning: .treesInExtra) { listening in
            let blob = try listening.store.file.blobs.put([1, 2, 3], contentType: "image/png")
            try await listening.store.file.write { transaction in
                try things.create(in: transaction)
                // It does not understand announcements that come while it receives documents.
                for number in 0..<150 {
                    _ = try things.save("t\(number)", in: transaction) {
                        try $0.writeJSON(#"{"t": \#(number)}"#)
                    }
                }
                var document = MutableDocument("pic")
                document["photo"] = MutableFleeceValue(blob)
                _ = try things.save(&document, in: transaction)
            }
            let program = try #require(PythonBLIP.program), port = listening.port
            let result = try await Blocking.run {
                try ChildProcess.run([
                    program, "-n", "127.0.0.1", "-P", "\(port)", "-d", "db", "-O", "-s", "sc",
                    "-c", "things",
                ])
            }
            #expect(result.status == 0, "\(result.output)")
            let lines = Set(result.output.split(separator: "\n").map { String($0) })
            for number in 0..<150 {
                #expect(lines.contains(#"{"t\#(number)": {"t": \#(number)}}"#))
            }
            #expect(lines.contains { $0.hasPrefix(#"{"pic": "#) && $0.contains("\(blob.digest)") })
            let checkpoints = KeyStore(KeyStoreName("peerCheckpoints"))
            let keys = try await listening.store.file.read { snapshot in
                var keys: [String] = []
                let records = try checkpoints.records(in: snapshot)
                while let record = try records.next() { keys.append(record.key) }
                return keys
            }
            #expect(keys.count == 1 && keys[0].hasPrefix("cp-"), "\(keys)")
        }
    }
}
