internal import NIOHTTP1

/// Refuses requests of other sites, and of programs without the token.
struct AccessCheck: Sendable {
    let token: AccessToken
    /// The names and addresses by which clients may call the server; another one in `Host` is that
    /// of a site whose name leads here (DNS rebinding).
    let hosts: Set<String>
    let port: Int

    private static let loopback: Set = ["127.0.0.1", "localhost", "[::1]"]

    /// - Parameter host: the address on which the server listens.
    init(_ token: AccessToken, host: String, port: Int) {
        self.token = token
        self.port = port
        hosts = Self.loopback.union([host.contains(":") ? "[\(host)]" : host])
    }

    /// The response to a request that is refused; nil if it may be answered.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        // Of several names, a proxy may have checked another one.
        let names = request.headers["Host"]
        guard names.count == 1, isOwn(names[0]) else {
            return .error(.forbidden, "the address of this server is another one")
        }
        if let origin = request.headers.first(name: "Origin") {
            let name = origin.hasPrefix("http://") ? String(origin.dropFirst(7)) : ""
            guard isOwn(name) else {
                return .error(.forbidden, "requests of other sites are not answered")
            }
        }
        return nil
    }

    /// The response to a request for data without the token, or for a change without the header
    /// that no form of another site can send; nil if it may be answered.
    func refusalOfData(to request: HTTPRequest) -> HTTPResponse? {
        let words = (request.headers.first(name: "Authorization") ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer", token.matches(words[1]) else {
            var response = HTTPResponse.error(
                .unauthorized, "the token is missing or wrong; use the URL that kvtool serve prints"
            )
            // Browsers ask for nothing with this scheme.
            response.headers.add(name: "WWW-Authenticate", value: "Bearer")
            return response
        }
        guard request.isSafe || request.headers.contains(name: "X-Inspector") else {
            return .error(.forbidden, "a change needs the header X-Inspector")
        }
        return nil
    }

    private func isOwn(_ host: String) -> Bool {
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else {
            return port == 80 && hosts.contains(host.lowercased())
        }
        return Int(host[host.index(after: colon)...]) == port
            && hosts.contains(host[..<colon].lowercased())
    }
}
