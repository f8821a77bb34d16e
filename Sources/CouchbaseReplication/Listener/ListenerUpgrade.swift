internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Foundation
internal import StoreFormat
internal import StorePlatform

/// Decides whether a client is connected, and with which file.
struct ListenerUpgrade: Sendable {
    let databases: [String: DataFile]
    let settings: CouchbaseListener.Settings

    private static let suffix = "/_blipsync"

    func answer(_ upgrade: BLIPUpgrade) async -> BLIPUpgradeAnswer {
        guard let name = Self.database(upgrade.path), let file = databases[name] else {
            return .refuse(status: 404, reason: "there is no such database")
        }
        if let origin = upgrade.header("Origin"), !settings.allowedOrigins.contains(origin) {
            return .refuse(status: 403, reason: "pages in a browser may not connect")
        }
        let credentials = CouchbaseListener.Credentials(upgrade)
        let access = await settings.access(credentials, name)
        guard access != .none else {
            return credentials == .none
                ? .refuse(
                    status: 401,
                    headers: [("WWW-Authenticate", "Basic realm=\"\(name)\"")],
                    reason: "a user and a password are needed")
                : .refuse(status: 401, reason: "the user or the password is wrong")
        }
        let usesVectors: Bool
        do {
            usesVectors = try await file.read { try $0.versioning() } == .versionVectors
        } catch {
            return .refuse(status: 503, reason: "the database cannot be read")
        }
        let spoken = usesVectors ? Subprotocol.vectors : Subprotocol.trees
        guard upgrade.subprotocols.contains(spoken) else {
            return .refuse(
                status: 400, reason: "the database is replicated with the protocol \(spoken)")
        }
        return .accept(subprotocol: spoken) { socket in
            await ListenerConnection(socket, file, access, usesVectors: usesVectors).run()
        }
    }

    /// The name in `/NAME/_blipsync`.
    private static func database(_ path: String) -> String? {
        let path = path.prefix { $0 != "?" }
        guard path.hasPrefix("/"), path.hasSuffix(suffix) else { return nil }
        return String(path.dropFirst().dropLast(suffix.count)).removingPercentEncoding
    }
}

extension CouchbaseListener.Credentials {
    /// Reads the headers of a request.
    init(_ upgrade: BLIPUpgrade) {
        let parts = upgrade.header("Authorization")?.split(separator: " ", maxSplits: 1) ?? []
        if parts.count == 2 {
            switch parts[0].lowercased() {
            case "bearer":
                self = .bearer(String(parts[1]))
                return
            case "basic":
                if let basic = Self(basic: String(parts[1])) {
                    self = basic
                    return
                }
            default: break
            }
        }
        self = upgrade.header("Cookie").map { .cookies($0) } ?? .none
    }

    private init?(basic text: String) {
        guard let bytes = Array(text.utf8).withUnsafeBytes({ Base64.decoded($0) }),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let user = String(validating: bytes[..<colon], as: UTF8.self),
            let password = String(validating: bytes[(colon + 1)...], as: UTF8.self)
        else { return nil }
        self = .basic(user: user, password: password)
    }
}
