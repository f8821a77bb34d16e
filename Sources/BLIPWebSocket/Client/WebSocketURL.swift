/// The address of a WebSocket: `ws://host:port/path`, or `wss://…` for TLS.
package struct WebSocketURL: Sendable, Equatable, CustomStringConvertible {
    /// Whether the connection is encrypted.
    package var usesTLS: Bool
    /// The name or the address of the host; an IPv6 address without brackets.
    package var host: String
    /// The port; 80 or 443 if the text has none.
    package var port: Int
    /// The path and the query, beginning with a slash.
    package var path: String

    /// Reads an address; nil if it is not one.
    ///
    /// `http` and `https` are taken for `ws` and `wss`, as in redirections. Credentials are not
    /// accepted in it.
    package init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        switch text[..<colon].lowercased() {
        case "ws", "http": usesTLS = false
        case "wss", "https": usesTLS = true
        default: return nil
        }
        let rest = text[colon...].dropFirst()
        guard rest.hasPrefix("//"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !text.contains("#")
        else { return nil }
        let (authority, path) = Self.split(rest.dropFirst(2))
        guard let (host, port) = Self.hostAndPort(authority) else { return nil }
        self.host = host
        self.port = port ?? (usesTLS ? 443 : 80)
        self.path = path
    }

    private static func split(_ rest: Substring) -> (authority: Substring, path: String) {
        guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else {
            return (rest, "/")
        }
        let path = String(rest[end...])
        return (rest[..<end], path.hasPrefix("/") ? path : "/" + path)
    }

    private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
        guard !authority.contains("@") else { return nil }
        var host = authority
        var rest = authority[authority.endIndex...]
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            rest = authority[end...].dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            rest = authority[colon...]
        }
        guard !host.isEmpty else { return nil }
        guard !rest.isEmpty else { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), Int(port))
    }

    /// Whether the port is the one that the scheme has without a number.
    private var hasUsualPort: Bool { port == (usesTLS ? 443 : 80) }

    /// The host as in the header `Host`: without the port if it is the usual one.
    var authority: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return hasUsualPort ? host : "\(host):\(port)"
    }

    /// The address as text, without the usual port.
    package var description: String { "\(usesTLS ? "wss" : "ws")://\(authority)\(path)" }

    /// The address at which a redirection points; nil if it is not one of WebSockets.
    func redirected(to location: String) -> WebSocketURL? {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else {
            return WebSocketURL(location)
        }
        var url = self
        url.path = location
        return url
    }
}
