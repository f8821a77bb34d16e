import Foundation
import ProjectTestSupport
import StoreTestSupport

/// The program schemathesis, which sends a server generated requests, valid ones and others, and
/// compares the responses with the OpenAPI document.
enum Schemathesis {
    /// Where it is installed; nil without it.
    static let program: String? = {
        let installed = PackageDirectory.url.path + "/.build/python/bin/schemathesis"
        if FileManager.default.isExecutableFile(atPath: installed) { return installed }
        if let path = Command.path(of: "schemathesis") { return path }
        Command.reportMissing("there is no schemathesis; run Scripts/bootstrap")
        return nil
    }()

    /// Sends requests to a server; the same ones each time.
    static func run(_ served: ServedTool, _ options: String...) throws -> Command.Outcome {
        let directory = try TemporaryDirectory()
        let settings = URL(fileURLWithPath: directory("schemathesis.toml"))
        try Data(Self.settings.utf8).write(to: settings)
        let url = "http://127.0.0.1:\(served.port)"
        // It keeps files of its own in the current directory.
        let script = "cd \"$1\" && shift && exec \"$@\""
        return try Command.run(
            "/bin/sh",
            ["-c", script, "sh", directory.path, program ?? "schemathesis"] + [
                "--config-file", settings.path, "run", "\(url)/openapi.json", "--url", url,
                "--seed", "1", "--max-examples", "6", "--continue-on-failure",
                "--phases", "examples,coverage,fuzzing", "--generation-database", "none",
                "--warnings", "off", "--exclude-path-regex", "(changes|live)$",
            ] + options)
    }

    /// Values that exist in the test's database, so that not all requests are for nothing; and the
    /// statuses of valid requests, whose values may still name nothing or not be SQL++.
    private static let settings = #"""
        request-timeout = 60.0

        [cache]
        enabled = false

        [auth.openapi.token]
        bearer = "\#(ServedTool.token)"

        [dictionaries]
        databases = { values = ["people"] }
        collections = { values = ["_default", "notes"] }
        ids = { values = ["ada", "person-0001", "photo", "weird/id ?*\\ü"] }
        indexes = { values = ["byAge", "byLikes", "words"] }
        conditions = { values = ["age > 40", "text IS NOT MISSING"] }
        patterns = { values = ["person-*", "*"] }
        digests = { values = ["\#(APIDatabase.digest)"] }
        revisions = { values = ["1772eb", "1772ec"] }
        tags = { values = ["*"] }
        queries = { values = ["SELECT age FROM _", "SELECT text FROM notes AS n"] }

        [parameters]
        "path.DB" = { dictionary = "databases", probability = 0.95 }
        "path.COLL" = { dictionary = "collections", probability = 0.95 }
        "query.id" = { dictionary = "ids", probability = 0.8 }
        "query.name" = { dictionary = "indexes", probability = 0.8 }
        "query.where" = { dictionary = "conditions", probability = 0.8 }
        "query.pattern" = { dictionary = "patterns", probability = 0.8 }
        "query.digest" = { dictionary = "digests", probability = 0.8 }
        "query.revision" = { dictionary = "revisions", probability = 0.8 }
        "query.old" = { dictionary = "revisions", probability = 0.8 }
        "query.new" = { dictionary = "revisions", probability = 0.8 }
        "header.If-None-Match" = { dictionary = "tags", probability = 0.7 }
        "body.query" = { dictionary = "queries", probability = 0.8 }

        [checks]
        positive_data_acceptance.expected-statuses = [
            "2xx", 304, 400, 401, 403, 404, 409, 412, 422, 428
        ]

        # Any text is a file of CSV.
        [[operations]]
        include-path = "/{DB}/{COLL}/import.json"
        checks.negative_data_rejection.enabled = false

        """#
}
