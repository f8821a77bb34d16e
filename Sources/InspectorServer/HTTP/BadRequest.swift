internal import NIOHTTP1

/// A request that is wrong.
struct BadRequest: Error {
    let status: HTTPResponseStatus
    let message: String
    /// The methods that can be used instead, for the header `Allow`.
    private(set) var allowed: String?

    init(_ status: HTTPResponseStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// There is something at the path, for other methods.
    init(allowed methods: [HTTPMethod]) {
        let names = methods.map { $0.rawValue }.joined(separator: ", ")
        self.init(.methodNotAllowed, "the method is not allowed here; use \(names)")
        allowed = names
    }

    /// A parameter or a property is wrong.
    init(_ message: String) { self.init(.unprocessableEntity, message) }
}
