internal import KVToolCore
internal import NIOHTTP1

/// The command line that answers a request.
struct RoutedCommand: Sendable {
    var arguments: [String]
    var type = "application/json"
    /// Whether its lines are server-sent events.
    var isEvents = false
    /// Whether it changes the database.
    var isChange = false
    /// Whether it can take long: its time grows with the database, or a person determines it.
    var isLong = false
    /// Whether its output is of use if it reports damage.
    var mayBePartial = true
    /// Whether a conflict means that the document is another one than the client knows.
    var isConditional = false
    /// Files that exist while it runs.
    var files: [RequestFile] = []
    /// The name under which a browser saves it.
    var fileName: String?
}

/// What a path means.
struct Route: Sendable {
    let request: HTTPRequest
    /// The database's path.
    let database: String
    /// The collection; nil for the whole database.
    let collection: String?
    /// The last component of the path, such as `documents.json`.
    let name: String

    /// The command; nil if there is nothing at the path.
    ///
    /// - Throws: `BadRequest`.
    func command() throws -> RoutedCommand? {
        guard let methods else { return nil }
        guard methods.contains(request.method) else { throw BadRequest(allowed: methods) }
        return try request.isSafe ? reading() : querying() ?? changing()
    }
}

// Methods.
extension Route {
    private static let read: [HTTPMethod] = [.GET, .HEAD]
    private static let ofDatabase: [String: [HTTPMethod]] = [
        "info.json": read, "stat.json": read, "verify.json": read, "collections.json": read,
        "conflicts.json": read, "indexes.json": read, "blobs.json": read,
        "index.json": [.GET, .HEAD, .DELETE], "index-content.json": read, "find.json": read,
        "blob": read, "changes": read,
    ]
    private static let ofCollection: [String: [HTTPMethod]] = [
        "documents.json": read, "document.json": [.GET, .HEAD, .PUT, .DELETE],
        "revisions.json": read, "revision.json": read, "difference.json": read,
        "conflict.json": read, "resolve.json": [.POST], "schema.json": read,
        "expirations.json": read, "similar.json": read,
        "query.json": [.POST], "explain.json": [.POST], "indexes.json": [.POST], "export": read,
        "import.json": [.POST], "changes": read, "live": [.POST],
    ]

    /// What can be done at the path; nil if there is nothing.
    private var methods: [HTTPMethod]? {
        (collection == nil ? Self.ofDatabase : Self.ofCollection)[name]
    }
}

// Requests that change nothing.
extension Route {
    private func reading() throws -> RoutedCommand? {
        switch (collection, name) {
        case (nil, "info.json"): try json("info")
        case (nil, "stat.json"): try long(json("stat"))
        case (nil, "verify.json"): try long(json("verify"))
        case (nil, "collections.json"): try json("lscoll")
        case (nil, "conflicts.json"): try json("resolve")
        case (nil, "indexes.json"): try json("index", "ls")
        case (nil, "blobs.json"): try json("blob", "ls", options: ["--long"])
        case (nil, "index.json"): try json("index", "show", words: [required("name")])
        case (nil, "index-content.json"):
            try long(json("index", "dump", options: limit, words: [required("name")]))
        case (nil, "find.json"): try long(json("find", options: limit, words: [required("text")]))
        case (nil, "blob"): try blob()
        case (_, "changes"): try changes()
        case (.some, "documents.json"): try documents()
        case (.some, "document.json"):
            try one(json("cat", options: ["--deleted", "--literal"], words: [id()]))
        case (.some, "revisions.json"): try one(json("revs", options: ["--remotes"], words: [id()]))
        case (.some, "revision.json"):
            try one(json("revs", options: ["--body=\(required("revision"))"], words: [id()]))
        case (.some, "difference.json"):
            try one(
                json("revs", options: ["--diff", revision("old"), revision("new")], words: [id()]))
        case (.some, "conflict.json"): try one(json("resolve", words: [escapedID()]))
        case (.some, "schema.json"): try long(json("schema", options: sample))
        case (.some, "similar.json"):
            try one(json("similar", options: index + limit, words: [id()]))
        case (.some, "expirations.json"): try json("expire", "ls", options: limit)
        case (.some, "export"): try export()
        default: nil
        }
    }

    private var index: [String] { request.parameter("index").map { ["--index=\($0)"] } ?? [] }
    private var sample: [String] { request.parameter("limit").map { ["--sample=\($0)"] } ?? [] }

    /// Requests that send a query, and change nothing.
    private func querying() throws -> RoutedCommand? {
        guard collection != nil, request.method == .POST else { return nil }
        switch name {
        case "query.json":
            let query = try QueryRequest(request.body)
            guard !query.isChange else { return try change(query) }
            return try long(
                json(
                    "query", options: ["--time", query.rows, query.seconds] + query.options,
                    words: [query.text]))
        case "explain.json":
            let query = try QueryRequest(request.body)
            let measure = query.measures ? ["--measure"] : []
            var command = try json("explain", options: measure + query.options, words: [query.text])
            // It writes a copy beside the database.
            command.isChange = query.measures
            return query.measures ? long(command) : command
        case "live":
            let query = try QueryRequest(request.body)
            var command = try line(
                ["query"], ["--watch", "--ndjson", query.seconds] + query.options, [query.text])
            (command.isEvents, command.type) = (true, "text/event-stream")
            return command
        default: return nil
        }
    }

    /// UPDATE and DELETE; the person has confirmed them in the page.
    private func change(_ query: QueryRequest) throws -> RoutedCommand {
        var command = try long(
            json(
                "query", options: ["--time", "--yes", query.seconds] + query.options,
                words: [query.text]))
        command.isChange = true
        return command
    }

    private func documents() throws -> RoutedCommand {
        var options = limit
        let flags = [
            "seq": "--seq", "desc": "--desc", "deleted": "--deleted", "conflicts": "--conflicts",
            "body": "--body", "count": "--count",
        ]
        for (name, flag) in flags.sorted(by: { $0.key < $1.key }) {
            if try request.isOn(name) { options.append(flag) }
        }
        for name in ["after", "offset", "where"] {
            if let value = request.parameter(name) { options.append("--\(name)=\(value)") }
        }
        let command = try json(
            "ls", options: options, words: request.parameter("pattern").map { [$0] } ?? [])
        let readsAll = try request.parameter("where") != nil || request.isOn("count")
        return readsAll ? long(command) : command
    }

    private func changes() throws -> RoutedCommand {
        let since = request.parameter("since") ?? "now"
        var command = try line(
            ["watch"], ["--follow", "--ndjson", "--docs", "--since=\(since)"], [])
        (command.isEvents, command.type) = (true, "text/event-stream")
        return command
    }

    private func export() throws -> RoutedCommand {
        let forms: [String: (options: [String], type: String)] = [
            "ndjson": (["--ndjson"], "application/x-ndjson"),
            "json": (["--array"], "application/json"),
            "csv": (["--csv"], "text/csv"),
        ]
        let form = request.parameter("format") ?? "ndjson"
        guard let (options, type) = forms[form] else {
            throw BadRequest("the format is ndjson, json or csv")
        }
        var command = try long(line(["export"], options, []))
        command.type = type
        // A file that lacks documents must not look like a whole one.
        command.mayBePartial = false
        command.fileName = "\(collection ?? "documents").\(form)"
        return command
    }

    /// Types that a browser shows; all others are saved, so that no page comes from a blob.
    private static let shownTypes: Set = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "application/json",
    ]

    private func blob() throws -> RoutedCommand {
        var command = try line(["blob", "get"], [], [required("digest")])
        command.mayBePartial = false
        let type = request.parameter("type") ?? ""
        let isShown = Self.shownTypes.contains(type)
        command.type = isShown ? type : "application/octet-stream"
        command.fileName = isShown ? nil : "blob"
        return command
    }
}

// Parts of command lines.
extension Route {
    func json(
        _ command: String..., options: [String] = [], words: [String] = []
    ) throws -> RoutedCommand {
        try line(command, ["--json"] + options, words)
    }

    /// The database first, then options, then words, which may begin with a dash.
    func line(
        _ command: [String], _ options: [String], _ words: [String]
    ) throws -> RoutedCommand {
        let collection = collection.map { ["--collection=\($0)"] } ?? []
        return RoutedCommand(
            arguments: command + [database] + collection + options + ["--"] + words)
    }

    /// A command that can take long.
    private func long(_ command: RoutedCommand) -> RoutedCommand {
        var command = command
        command.isLong = true
        return command
    }

    /// A command about one document: what it writes besides an error is nothing.
    private func one(_ command: RoutedCommand) -> RoutedCommand {
        var command = command
        command.mayBePartial = false
        return command
    }

    var limit: [String] { request.parameter("limit").map { ["--limit=\($0)"] } ?? [] }

    func required(_ name: String) throws -> String {
        guard let value = request.parameter(name) else {
            throw BadRequest("the parameter \(name) is missing")
        }
        return value
    }

    func id() throws -> String { try required("id") }

    /// The ID as the pattern that only it matches.
    func escapedID() throws -> String {
        var text = String.UnicodeScalarView()
        // Not by characters: a combining mark after an asterisk makes another one of it.
        for scalar in try id().unicodeScalars {
            if "*?\\".unicodeScalars.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }

    /// A revision, which must not look like an option.
    private func revision(_ name: String) throws -> String {
        let text = try required(name)
        guard !text.hasPrefix("-") else { throw BadRequest("\(name) is not a revision") }
        return text
    }
}
