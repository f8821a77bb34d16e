import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// What the commands of the sweep work on: a database with something of everything, and files.
struct SweptFiles: Sendable {
    private let database: SampleDatabase
    /// Its key is what the file `TEXT` holds.
    private let encrypted: SampleDatabase
    private var files: [String: String]

    init() throws {
        database = try SampleDatabase(people: 5)
        try database.run("mkcoll", "hr.staff").success()
        try database.run("mkindex", "byAge", "age").success()
        try Kvtool.run(["expire", "set", database.path, "person-0002", "--at", "2099-01-01"])
            .success()
        try Kvtool.run(["put", database.path, "near", #"{"at":[1,2]}"#]).success()
        try database.run("mkindex", "byPlace", "at", "--vector", "--dimensions", "2").success()
        let text = try database.newFile("text", Data("hello\n".utf8))
        try Kvtool.run(["blob", "put", database.path, text]).success()
        encrypted = try SampleDatabase(people: 1)
        try encrypted.run("encrypt", "--new-key", "hello").success()
        let dump = database.directory("people.dump")
        try database.run("dump", dump).success()
        let patch =
            #"{"collection":"_default","id":"person-0001","change":"changed","#
            + #""expiration":4102444800000}"#
        files = [
            "TEXT": text, "DUMP": dump,
            "DOCUMENTS": try database.newFile("d.ndjson", Data(#"{"_id":"new","n":1}"#.utf8)),
            "PATCH": try database.newFile("patch", Data(patch.utf8)),
            // {"a":1}
            "FLEECE": try database.newFile(
                "fleece", Data([0x70, 0x01, 0x41, 0x61, 0x00, 0x01, 0x80, 0x03])),
        ]
        if let server = PostgresServer.shared {
            let url = try server.newDatabase("sweep")
            try Kvtool.run(["sync", "init", url]).success()
            files["SERVER"] = url
        }
    }

    /// Runs words in which names in capitals stand for files; the databases are copies,
    /// because a command that only reads makes and removes a `-wal` file, too.
    func run(_ words: [String]) throws -> Command.Outcome {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let own = ["NEW": "new.cblite2", "OUTPUT": "out.dump", "MISSING": "missing.cblite2"]
        let arguments = try words.map { word in
            switch word {
            case "DB": try directory.copy(of: database.path)
            case "ENCRYPTED": try directory.copy(of: encrypted.path)
            case "SAME": try other.copy(of: database.path)
            case "NOTHING": directory("nothing")
            default: files[word] ?? own[word].map { directory($0) } ?? word
            }
        }
        return try withExtendedLifetime((directory, other)) { try Kvtool.run(arguments) }
    }
}

/// Makes the files once, for all tests of a suite.
struct SweptFixture: SuiteTrait, TestScoping {
    @TaskLocal static var files: SweptFiles?

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.$files.withValue(try SweptFiles()) { try await function() }
    }
}

extension Trait where Self == SweptFixture {
    static var sweptFiles: Self { Self() }
}
