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
        return try request.isSafe ? reading() : asking() ?? changing()
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
        "expirations.json": read,
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
        case (nil, "stat.json"): try json("stat")
        case (nil, "verify.json"): try json("verify")
        case (nil, "collections.json"): try json("lscoll")
        case (nil, "conflicts.json"): try json("resolve")
        case (nil, "indexes.json"): try json("index", "ls")
        case (nil, "blobs.json"): try json("blob", "ls", options: ["--long"])
        case (nil, "index.json"): try json("index", "show", words: [required("name")])
        case (nil, "index-content.json"):
            try json("index", "dump", options: limit, words: [required("name")])
        case (nil, "find.json"): try json("find", options: limit, words: [required("text")])
        case (nil, "blob"): try blob()
        case (_, "changes"): try changes()
        case (.some, "documents.json"): try documents()
        case (.some, "document.json"):
            try json("cat", options: ["--deleted"], words: [escapedID()])
        case (.some, "revisions.json"): try json("revs", options: ["--remotes"], words: [id()])
        case (.some, "revision.json"):
            try json("revs", options: ["--body=\(required("revision"))"], words: [id()])
        case (.some, "difference.json"):
            try json("revs", options: ["--diff", revision("old"), revision("new")], words: [id()])
        case (.some, "conflict.json"): try json("resolve", words: [escapedID()])
        case (.some, "schema.json"):
            try json("schema", options: request.parameter("limit").map { ["--sample=\($0)"] } ?? [])
        case (.some, "expirations.json"): try json("expire", "ls", options: limit)
        case (.some, "export"): try export()
        default: nil
        }
    }

    /// Requests that send a query, and change nothing.
    private func asking() throws -> RoutedCommand? {
        guard collection != nil, request.method == .POST else { return nil }
        switch name {
        case "query.json":
            let query = try QueryRequest(request.body)
            guard !query.isChange else { return try change(query) }
            let limits = query.limits(rows: 1000, seconds: 10)
            return try json(
                "query", options: ["--time"] + limits + query.options, words: [query.text])
        case "explain.json":
            let query = try QueryRequest(request.body)
            let measure = query.measures ? ["--measure"] : []
            var command = try json("explain", options: measure + query.options, words: [query.text])
            // It writes a copy beside the database.
            command.isChange = query.measures
            return command
        case "live":
            let query = try QueryRequest(request.body)
            var command = try line(
                ["query"], ["--watch", "--ndjson"] + query.options, [query.text])
            (command.isEvents, command.type) = (true, "text/event-stream")
            return command
        default: return nil
        }
    }

    /// UPDATE and DELETE; the person has confirmed them in the page.
    private func change(_ query: QueryRequest) throws -> RoutedCommand {
        var command = try json(
            "query", options: ["--time", "--yes"] + query.options, words: [query.text])
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
        return try json(
            "ls", options: options, words: request.parameter("pattern").map { [$0] } ?? [])
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
        var command = try line(["export"], options, [])
        command.type = type
        command.fileName = "\(collection ?? "documents").\(form)"
        return command
    }

    /// Types that a browser shows; all others are saved, so that no page comes from a blob.
    private static let shownTypes: Set = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "application/json",
    ]

    private func blob() throws -> RoutedCommand {
        var command = try line(["blob", "get"], [], [required("digest")])
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

    var limit: [String] { request.parameter("limit").map { ["--limit=\($0)"] } ?? [] }

    func required(_ name: String) throws -> String {
        guard let value = request.parameter(name) else {
            throw BadRequest("the parameter \(name) is missing")
        }
        return value
    }

    func id() throws -> String { try required("id") }

    /// The ID for a command that knows wildcards.
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
