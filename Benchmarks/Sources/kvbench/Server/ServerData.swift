import Foundation
import SampleData
import ServerStore

/// A list of servers, generated from a seed to resemble a list of August 2026: 148 countries, 264
/// cities, 1.78 endpoints a server, up to 51, 13 % free, 7 % secure core, 38 % with smart routing,
/// 1 % under maintenance, a few gateways.
struct ServerData: Sendable {
    /// About the current number of servers.
    static let small = ServerData(name: "1.9k", count: 1_900)
    /// A possible future number of servers.
    static let large = ServerData(name: "15k", count: 15_000)

    /// The number of servers as text.
    let name: String
    let servers: [VPNServer]
    /// Two lists of loads for all servers; every load differs from the other one's and from the
    /// list's.
    let loads: [[ContinuousServerProperties]]

    private init(name: String, count: Int) {
        var maker = ServerMaker()
        self.name = name
        let servers = (0..<count).map { maker.server($0) }
        self.servers = servers
        loads = [1, 2].map { round in
            servers.map {
                ContinuousServerProperties(
                    serverId: $0.id, load: ($0.logical.load + 7 * round) % 100,
                    score: $0.logical.score * (1 + 0.01 * Double(round)),
                    status: $0.isUnderMaintenance ? 0 : 1)
            }
        }
    }

    /// Whether a pass takes so long that not every variant of the original is measured.
    var isLarge: Bool { servers.count > 10_000 }

    /// The number of servers that match a condition.
    func count(_ isWanted: (LogicalServer) -> Bool) -> Int {
        servers.reduce(0) { $0 + (isWanted($1.logical) ? 1 : 0) }
    }

    /// The best server of a country for file sharing.
    func fastest(of country: String) -> VPNServer? {
        servers.filter {
            $0.logical.kind == .country && $0.logical.exitCountryCode == country
                && $0.logical.feature.contains(.p2p)
        }.min { $0.logical.score < $1.logical.score }
    }

    /// The number of groups without secure core.
    var groupCount: Int {
        let logicals = servers.map(\.logical).filter { !$0.feature.contains(.secureCore) }
        return Set(logicals.map { $0.gatewayName ?? $0.exitCountryCode }).count
    }
}

/// The state of generating servers.
private struct ServerMaker {
    private var random = SeededGenerator(seed: 20_260_822)
    private let locations: ServerLocations
    /// The last number of each prefix of names.
    private var numbers: [String: Int] = [:]
    private var address = 0

    init() { locations = ServerLocations(&random) }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let gateways = (1...6).map { "Company \($0)" }

    mutating func server(_ number: Int) -> VPNServer {
        let country = locations.country(of: number, &random)
        let city = random.pick(country.cities)
        let (kind, tier) = kindAndTier(country)
        let name = name(kind, tier, country, city)
        let status = random.below(100) == 0 ? 0 : 1
        let domain = "node-\(name.lowercased().replacing("#", with: "-")).protonvpn.net"
        let logical = LogicalServer(
            id: base64(bytes: 64), name: name, domain: domain, load: random.below(100),
            exitCountryCode: country.code, tier: tier,
            score: 1 + Double(random.below(400_000_000)) / 100_000_000, status: status,
            feature: feature(kind, tier), city: city.name, hostCountry: country.host,
            translatedCity: city.translation, latitude: city.latitude, longitude: city.longitude,
            state: city.state, kind: kind)
        let count = endpointCount(number)
        return VPNServer(
            logical: logical,
            endpoints: (0..<count).map { endpoint($0, domain, isUp: status != 0) })
    }

    private mutating func kindAndTier(
        _ country: ServerLocations.Country
    ) -> (LogicalServer.Kind, Int) {
        switch random.below(100) {
        case ..<7:
            let entry = random.pick(["CH", "IS", "SE"].filter { $0 != country.code })
            return (.secureCore(entryCountryCode: entry), 2)
        case 7: return (.gateway(name: random.pick(Self.gateways)), 2)
        case 8..<21: return (.country, 0)
        default: return (.country, 2)
        }
    }

    private mutating func name(
        _ kind: LogicalServer.Kind, _ tier: Int, _ country: ServerLocations.Country,
        _ city: ServerLocations.City
    ) -> String {
        let prefix =
            switch kind {
            case .secureCore(let entry): "\(entry)-\(country.code)"
            case .gateway: "\(country.code)-GW"
            case .country where tier == 0: "\(country.code)-FREE"
            case .country:
                if let state = city.state {
                    "\(country.code)-\(state.prefix(2).uppercased())"
                } else {
                    country.code
                }
            }
        numbers[prefix, default: 0] += 1
        return "\(prefix)#\(numbers[prefix, default: 0])"
    }

    private mutating func feature(_ kind: LogicalServer.Kind, _ tier: Int) -> ServerFeature {
        var feature: ServerFeature =
            switch kind {
            case .country: .zero
            case .secureCore: .secureCore
            case .gateway: .restricted
            }
        guard tier > 0 else { return feature }
        if random.below(100) < 45 { feature.insert(.p2p) }
        if random.below(100) < 60 { feature.insert(.streaming) }
        if random.below(100) < 20 { feature.insert(.ipv6) }
        if kind == .country, random.below(200) == 0 { feature.insert(.tor) }
        return feature
    }

    private mutating func endpointCount(_ number: Int) -> Int {
        if number % 1_500 == 40 { return 51 }
        return switch random.below(1_000) {
        case ..<780: 1
        case ..<880: 2
        case ..<935: 3
        case ..<965: 4 + random.below(3)
        case ..<990: 6 + random.below(8)
        default: 12 + random.below(20)
        }
    }

    private mutating func endpoint(_ number: Int, _ domain: String, isUp: Bool) -> ServerEndpoint {
        address += 1
        let exit = ip(10)
        let entry = ip(11)
        return ServerEndpoint(
            id: base64(bytes: 64), entryIp: entry, exitIp: exit, domain: domain,
            status: isUp && random.below(100) > 0 ? 1 : 0, label: "\(number)",
            x25519PublicKey: base64(bytes: 32),
            protocolEntries: random.below(3) == 0 ? protocolEntries() : nil)
    }

    private mutating func protocolEntries() -> ProtocolEntries {
        switch random.below(3) {
        case 0:
            ["WireGuardTLS": ServerProtocolEntry(ipv4: ip(12), ports: [443])]
        case 1:
            [
                "WireGuardTCP": ServerProtocolEntry(ipv4: ip(12), ports: [443, 7770, 8443]),
                "WireGuardTLS": ServerProtocolEntry(ipv4: ip(13)),
            ]
        default:
            ["WireGuardTCP": ServerProtocolEntry(), "WireGuardUDP": ServerProtocolEntry()]
        }
    }

    private func ip(_ net: Int) -> String {
        "\(net).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
    }

    /// Random bytes in the format of the API: 64 of them in 88 characters.
    private mutating func base64(bytes count: Int) -> String {
        let isShort = count % 3 == 1
        var text = (0..<(count * 8 / 6)).map { _ in Self.alphabet[random.below(64)] }
        text.append(Self.alphabet[random.below(isShort ? 4 : 16) * (isShort ? 16 : 4)])
        return String(decoding: text, as: UTF8.self) + (isShort ? "==" : "=")
    }
}
