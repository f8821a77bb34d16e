internal import DocumentStore
internal import KVToolCore
internal import NIOHTTP1
internal import Synchronization

/// Answers requests.
final class InspectorHandler: Sendable {
    private let databases: [InspectedDatabase]
    private let settings: InspectorSettings
    private let access: AccessCheck
    private let run: CommandLineRunner
    private let running = Mutex(0)

    init(
        _ databases: [InspectedDatabase], _ settings: InspectorSettings, _ access: AccessCheck,
        _ run: @escaping CommandLineRunner
    ) {
        self.databases = databases
        self.settings = settings
        self.access = access
        self.run = run
    }

    /// The response, with the headers that all have. `use` sends it.
    func respond(
        to request: HTTPRequest, _ use: (HTTPResponse) async throws -> Void
    ) async throws {
        if let refusal = access.refusal(of: request) { return try await use(finished(refusal)) }
        do {
            if let page = try page(request) { return try await use(finished(page)) }
            if let refusal = access.refusalOfData(to: request) {
                return try await use(finished(refusal))
            }
            if let own = try own(request) { return try await use(finished(own)) }
            guard let command = try command(request) else {
                return try await use(finished(.error(.notFound, "there is nothing at this path")))
            }
            try await respond(
                to: request, with: command.line, of: command.database, use)
        } catch let error as BadRequest {
            var response = HTTPResponse.error(error.status, error.message, exit: .usage)
            if let allowed = error.allowed { response.headers.add(name: "Allow", value: allowed) }
            try await use(finished(response))
        }
    }

    private func respond(
        to request: HTTPRequest, with line: RoutedCommand, of database: InspectedDatabase,
        _ use: (HTTPResponse) async throws -> Void
    ) async throws {
        guard settings.isWritable || !line.isChange else {
            return try await use(finished(.error(.forbidden, WriteProtection.refusal)))
        }
        guard enter() else {
            return try await use(finished(.error(.tooManyRequests, "too many requests run")))
        }
        defer { running.withLock { $0 -= 1 } }
        let command = InspectorCommand(
            line.arguments, in: database.environment, isReadOnly: !line.isChange,
            stallSeconds: settings.limits.stallSeconds, run)
        defer { command.cancel() }
        var response: HTTPResponse
        if line.isEvents {
            response = HTTPResponse(type: line.type, .events(command.output, command.errors))
        } else {
            response = await command.response(type: line.type)
        }
        if line.isConditional, response.status == .conflict {
            response.status = .preconditionFailed
        }
        if let name = line.fileName, response.status == .ok {
            let safe = name.filter {
                $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
            }
            response.headers.add(
                name: "Content-Disposition", value: "attachment; filename=\"\(safe)\"")
        }
        try await use(finished(tagged(response, for: request)))
        withExtendedLifetime(line.files) {}
    }

    /// The response with its entity tag, or without its body if the client has it.
    private func tagged(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard request.isSafe, response.status == .ok, case .bytes(let body) = response.body
        else { return response }
        let tag = EntityTag.tag(of: body)
        let condition = request.headers[canonicalForm: "If-None-Match"].joined(separator: ",")
        var response = response
        // With its quotation marks; version vectors have commas, as the list has.
        if condition.contains(tag) { response = HTTPResponse(.notModified) }
        response.headers.replaceOrAdd(name: "ETag", value: tag)
        return response
    }

    private func enter() -> Bool {
        running.withLock { running in
            guard running < settings.limits.commands else { return false }
            running += 1
            return true
        }
    }

    /// What needs no token: the description of the requests, the page for paths of views, or one of
    /// its files.
    private func page(_ request: HTTPRequest) throws -> HTTPResponse? {
        if request.path == ["openapi.json"] {
            guard request.isSafe else { throw BadRequest(allowed: [.GET, .HEAD]) }
            return InspectorPages.file("openapi.json")
        }
        guard request.isSafe else { return nil }
        if request.path.first == "assets", request.path.count == 2 {
            return InspectorPages.file(request.path[1])
                ?? .error(.notFound, "there is no such file")
        }
        let name = request.path.last ?? ""
        if request.path == ["favicon.ico"] { return .error(.notFound, "there is no icon") }
        let streams = ["changes", "live", "export", "blob"]
        let isData = name.hasSuffix(".json") || streams.contains(name)
        return isData ? nil : InspectorPages.file("index.html")
    }

    /// What needs no command.
    private func own(_ request: HTTPRequest) throws -> HTTPResponse? {
        if request.path == ["databases.json"] {
            guard request.isSafe else { throw BadRequest(allowed: [.GET, .HEAD]) }
            return list()
        }
        guard request.path.count == 2, request.path[1] == "unlock.json",
            let database = database(request.path[0])
        else { return nil }
        guard request.method == .POST else { throw BadRequest(allowed: [.POST]) }
        guard settings.isLoopback else {
            throw BadRequest(.forbidden, "a key is accepted from this machine only")
        }
        guard let key = try JSONBody.object(request.body)["key"]?.string else {
            throw BadRequest("the property key is missing, or is not a string")
        }
        return database.unlock(key)
            ? HTTPResponse(.noContent) : .error(.forbidden, "the key is wrong")
    }

    private func list() -> HTTPResponse {
        var object = JSONObject()
        object.add("schema", OutputSchema.name("serve"))
        object.add("version", settings.version)
        object.add("writable", settings.isWritable)
        object.add(
            "databases",
            databases.map { database in
                var item = JSONObject()
                item.add("name", database.name)
                item.add("path", database.path)
                item.add("locked", database.isLocked)
                return item.finished()
            })
        return HTTPResponse(.ok, .bytes(object.finished().utf8))
    }

    private func command(
        _ request: HTTPRequest
    ) throws -> (line: RoutedCommand, database: InspectedDatabase)? {
        guard (2...3).contains(request.path.count), let database = database(request.path[0])
        else { return nil }
        let collection = request.path.count == 3 ? request.path[1] : nil
        let route = Route(
            request: request, database: database.path, collection: collection,
            name: request.path.last ?? "")
        return try route.command().map { ($0, database) }
    }

    private func database(_ name: String) -> InspectedDatabase? {
        databases.first { $0.name == name }
    }

    /// The response with the headers of all.
    private func finished(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        let all = [
            (
                "Content-Security-Policy",
                "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cache-Control", "no-store"),
            ("X-Inspector-Writable", settings.isWritable ? "1" : "0"),
        ]
        for (name, value) in all { response.headers.replaceOrAdd(name: name, value: value) }
        return response
    }
}
