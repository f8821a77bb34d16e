import DocumentStore
import ServerStore

/// The servers that filters find, as SQLite finds them: an answer that owes nothing to lists in
/// memory. Conditions on endpoints, and searches, are not looked at (`open`).
struct ServerQuery {
    let text: String
    private(set) var parameters = QueryParameters()
    /// The filters that the statement does not know.
    private(set) var open: [VPNServerFilter] = []

    init(_ filters: [VPNServerFilter], _ order: VPNServerOrder) throws {
        var conditions: [String] = []
        var parameters = QueryParameters()
        for (number, filter) in filters.enumerated() {
            if filter.isOpen {
                open.append(filter)
            } else if let condition = try filter.condition("p\(number)", &parameters) {
                conditions.append(condition)
            }
        }
        let isWhere = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        text =
            "SELECT l.id FROM vpn.logicals AS l JOIN vpn.loads AS s ON META(s).id = META(l).id"
            + isWhere + order.clause
        self.parameters = parameters
    }

    /// The ids that are found, in the order.
    func ids(in snapshot: Snapshot) throws -> [String] {
        try Query(text).rows(in: snapshot, parameters).all().compactMap { $0[0].string }
    }
}

extension VPNServerFilter {
    fileprivate var isOpen: Bool {
        switch self {
        case .endpointID, .endpointIDs, .supports, .supportsAll, .matches: true
        default: false
        }
    }
}

extension VPNServerFilter {
    /// The condition on the server `l` and its load `s`; nil for none.
    ///
    /// - Parameter name: what names of parameters begin with.
    fileprivate func condition(
        _ name: String, _ parameters: inout QueryParameters
    ) throws -> String? {
        func equal(_ property: String, _ value: String) -> String {
            parameters[name] = .string(value)
            return "l.\(property) = $\(name)"
        }
        func among(_ property: String, _ values: [String]) throws -> String {
            parameters[name] = try QueryValue(encoding: values)
            return "l.\(property) IN $\(name)"
        }
        switch self {
        case .logicalID(let id): return equal("id", id)
        case .logicalIDs(let ids): return try among("id", ids)
        case .entryCountryCode(let code): return equal("entryCountryCode", code)
        case .entryCountryCodes(let codes): return try among("entryCountryCode", codes)
        case .exitCountryCode(let code): return equal("exitCountryCode", code)
        case .exitCountryCodes(let codes): return try among("exitCountryCode", codes)
        case .tier(.exact(let tier)):
            parameters[name] = .integer(Int64(tier))
            return "l.tier = $\(name)"
        case .tier(.max(let tier)):
            parameters[name] = .integer(Int64(tier))
            return "l.tier <= $\(name)"
        case .features(let features): return features.condition
        case .isNotUnderMaintenance: return "s.status != 0 AND l.hasEndpointUp = TRUE"
        case .kind(let kind): return kind.condition(name, &parameters)
        case .city(let city): return equal("city", city)
        case .state(let state): return equal("state", state)
        case .name(let value): return equal("name", value)
        case .names(let values): return try among("name", values)
        case .endpointID, .endpointIDs, .supports, .supportsAll, .matches: return nil
        }
    }
}

extension VPNServerFilter.KindFilter {
    fileprivate func condition(_ name: String, _ parameters: inout QueryParameters) -> String {
        switch self {
        case .country(nil): return "l.gatewayName IS MISSING"
        case .country(let code?):
            parameters[name] = .string(code)
            return "l.exitCountryCode = $\(name) AND l.gatewayName IS MISSING"
        case .gateway(nil): return "l.gatewayName IS VALUED"
        case .gateway(let gateway?):
            parameters[name] = .string(gateway)
            return "l.gatewayName = $\(name)"
        case .city(let city, let code): return place("city", city, code, name, &parameters)
        case .state(let state, let code): return place("state", state, code, name, &parameters)
        }
    }

    private func place(
        _ property: String, _ value: String, _ code: String, _ name: String,
        _ parameters: inout QueryParameters
    ) -> String {
        parameters[name] = .string(value)
        parameters[name + "c"] = .string(code)
        return "l.exitCountryCode = $\(name)c AND l.\(property) = $\(name)"
    }
}

extension VPNServerFilter.FeatureFilter {
    /// A condition for each bit; SQL++ has no operators on bits.
    fileprivate var condition: String? {
        func bits(_ features: ServerFeature, _ wanted: Int) -> [String] {
            (0..<Int.bitWidth - 1).filter { features.rawValue >> $0 & 1 == 1 }
                .map { "IDIV(l.feature, \(1 << $0)) % 2 = \(wanted)" }
        }
        let conditions = bits(required, 1) + bits(excluded, 0)
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }
}

extension VPNServerOrder {
    fileprivate var clause: String {
        switch self {
        case .none: " ORDER BY l.id"
        case .random: " ORDER BY l.id"
        case .fastest: " ORDER BY s.score, l.id"
        case .loadAscending: " ORDER BY s.`load`, l.id"
        case .fastestGatewaysLast:
            " ORDER BY l.gatewayName IS VALUED, l.gatewayName DESC, s.score, l.id"
        case .nameAscending: " ORDER BY l.namePrefix, l.sequenceNumber, l.id"
        }
    }
}
