internal import DocumentStore
internal import FleeceLite
internal import NIOHTTP1

// Requests that change the database.
extension Route {
    func changing() throws -> RoutedCommand? {
        var command: RoutedCommand?
        switch (request.method, collection, name) {
        case (.PUT, .some, "document.json"): command = try put()
        case (.DELETE, .some, "document.json"): command = try delete()
        case (.POST, .some, "resolve.json"): command = try resolve()
        case (.POST, .some, "indexes.json"): command = try createIndex()
        case (.DELETE, nil, "index.json"): command = try json("rmindex", words: [required("name")])
        case (.POST, .some, "import.json"): command = try importing()
        default: return nil
        }
        command?.isChange = true
        return command
    }

    private func put() throws -> RoutedCommand {
        let text = String(validating: request.body, as: UTF8.self) ?? ""
        // The command would read a file, or standard input.
        guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
            throw BadRequest("the body is not a JSON object")
        }
        return try conditional(json("put", options: [precondition()], words: [id(), text]))
    }

    private func delete() throws -> RoutedCommand {
        if try request.isOn("purge") {
            let known = request.headers.contains(name: "If-Match") ? [try precondition()] : []
            return try conditional(
                json("put", options: ["--purge", "--yes"] + known, words: [id()]))
        }
        return try conditional(
            json("put", options: ["--delete", precondition()], words: [id()]))
    }

    private func conditional(_ command: RoutedCommand) -> RoutedCommand {
        var command = command
        command.isConditional = true
        return command
    }

    /// A change names what it replaces, so that no one else's is lost.
    private func precondition() throws -> String {
        if request.headers.first(name: "If-None-Match") == "*" { return "--create" }
        guard let tag = request.headers.first(name: "If-Match"), tag != "*" else {
            throw BadRequest(
                .preconditionRequired, "a change needs If-Match: \"REVISION\", or If-None-Match: *")
        }
        return "--if-rev=\(EntityTag.revision(in: tag))"
    }

    private func resolve() throws -> RoutedCommand {
        let object = try JSONBody.object(request.body)
        let known = try knownRevisions(object)
        if let take = object["take"]?.string {
            return try json("resolve", options: ["--take=\(take)"] + known, words: [escapedID()])
        }
        if object["delete"]?.bool == true {
            return try json("resolve", options: ["--delete"] + known, words: [escapedID()])
        }
        guard let properties = object["with"], properties.dictionary != nil else {
            throw BadRequest("the property take, delete or with is missing")
        }
        let file = try RequestFile(Array(properties.json(.init()).utf8), ending: "json")
        var command = try json(
            "resolve", options: ["--with=\(file.path)"] + known, words: [escapedID()])
        command.files = [file]
        return command
    }

    /// The revisions that the client has seen, so that no other one is lost.
    private func knownRevisions(_ object: FleeceDictionary) throws -> [String] {
        let list = try JSONBody.value("revisions", of: object, "an array of strings") { value in
            value.array.map { $0.compactMap(\.string) }
        }
        guard let list, !list.isEmpty else {
            throw BadRequest("the property revisions is missing: those of the conflict")
        }
        return list.map { "--if-rev=\($0)" }
    }

    private func createIndex() throws -> RoutedCommand {
        let object = try JSONBody.object(request.body)
        guard let name = object["name"]?.string, !name.isEmpty else {
            throw BadRequest("the property name is missing")
        }
        func text(_ name: String) throws -> String? {
            try JSONBody.value(name, of: object, "a string") { $0.string }
        }
        let kind = try text("kind") ?? "value"
        guard ["value", "fts", "array"].contains(kind) else {
            throw BadRequest("the kind is value, fts or array")
        }
        guard try kind != "array" || text("array") != nil else {
            throw BadRequest("the property array is missing")
        }
        var options = kind == "fts" ? ["--fts"] : []
        for option in ["array", "where", "language"] {
            if let value = try text(option) { options.append("--\(option)=\(value)") }
        }
        let expressions = try text("expressions") ?? ""
        return try json(
            "mkindex", options: options, words: [name] + (expressions.isEmpty ? [] : [expressions]))
    }

    private func importing() throws -> RoutedCommand {
        let type = request.headers.first(name: "Content-Type") ?? ""
        let ending = type.hasPrefix("text/csv") ? "csv" : "ndjson"
        let file = try RequestFile(request.body, ending: ending)
        let options = try request.isOn("dry") ? ["--dry-run"] : []
        var command = try json("import", options: options, words: [file.path])
        command.files = [file]
        return command
    }
}
