internal import NIOCore
internal import NIOHTTP1

/// Refuses requests of other sites, and of programs without the token.
struct AccessCheck: Sendable {
    private let token: AccessToken
    /// The names by which clients may call the server; another one in `Host` is that of a site
    /// whose name leads here (DNS rebinding). A tunnel may have another port.
    private let names: Set<String>
    /// Whether they may call it by any address: no name leads to one of another machine then.
    private let permitsAddresses: Bool

    /// - Parameters:
    ///   - host: the address on which the server listens.
    ///   - isLoopback: whether only programs of this machine reach it.
    init(_ token: AccessToken, host: String, isLoopback: Bool) {
        self.token = token
        names = ["localhost", "127.0.0.1", "::1", host.lowercased()]
        permitsAddresses = !isLoopback
    }

    /// The response to a request that is refused; nil if it may be answered.
    func refusal(of request: HTTPRequest) -> HTTPResponse? {
        // Of several names, a proxy may have checked another one.
        let hosts = request.headers["Host"]
        guard hosts.count == 1, isOwn(hosts[0].lowercased()) else {
            return .error(.forbidden, "the address of this server is another one")
        }
        if let origin = request.headers.first(name: "Origin") {
            guard origin.lowercased() == "http://\(hosts[0].lowercased())" else {
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
                .unauthorized,
                "the token is missing or wrong; use the URL that was printed at the start")
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
        let isBracketed = host.hasPrefix("[")
        let end = isBracketed ? host.firstIndex(of: "]") : host.lastIndex(of: ":") ?? host.endIndex
        guard let end else { return false }
        let name = String(isBracketed ? host[..<end].dropFirst() : host[..<end])
        return names.contains(name)
            || permitsAddresses && (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }
}
