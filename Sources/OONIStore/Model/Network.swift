internal import DocumentStore

extension OONIStore {
    /// A network in which results were measured.
    ///
    /// A store has each network once: ``Networks/register(_:in:)`` returns the existing one with
    /// equal details, or creates it. Results refer to it by its number, in
    /// ``TestResult/networkID``.
    ///
    /// ```swift
    /// let details = OONIStore.NetworkDetails(
    ///     name: "Vodafone", asn: "AS3209", countryCode: "DE", type: .wifi)
    /// let network = try probe.write { try probe.networks.register(details, in: $0) }
    /// show(network.id, network.details.isValid)
    /// ```
    public struct Network: Codable, Hashable, Sendable, Identifiable {
        /// The number of a network, unique in the store and never assigned again.
        public struct ID: NumberID {
            /// The number, 1 or more.
            public var number: Int64

            /// Creates an ID from a number.
            public init(_ number: Int64) {
                self.number = number
            }
        }

        /// The number of the network, assigned by the store in the order of creation.
        public internal(set) var id: ID
        /// The properties that identify the network. Changing them in this copy does not change the
        /// store.
        public var details: NetworkDetails

        /// Creates a network, for example for a preview; `networks.register` creates the networks
        /// of a store.
        ///
        /// - Parameters:
        ///   - id: the number.
        ///   - details: the properties of the network.
        public init(id: ID, details: NetworkDetails) {
            (self.id, self.details) = (id, details)
        }
    }

    /// The properties of a network; two networks of a store differ in at least one of them.
    ///
    /// They are compared byte by byte, so that `Télécom` in two normal forms of Unicode are two
    /// networks. Any of them may be unknown, for example without a permission of the system or
    /// without a geolocation.
    public struct NetworkDetails: Codable, Hashable, Sendable {
        /// The name of the operator, such as `Vodafone`; nil if it is unknown.
        public var name: String?
        /// The number of the autonomous system, such as `AS1234`; `AS0` or nil if it is unknown.
        public var asn: String?
        /// The country, in two letters, such as `DE`; `ZZ`, `XX` or nil if it is unknown.
        public var countryCode: String?
        /// How the device was connected to it; nil if it is unknown.
        public var type: NetworkType?

        /// Creates the details of a network; what is not specified is unknown.
        ///
        /// - Parameters:
        ///   - name: the name of the operator.
        ///   - asn: the number of the autonomous system, with the prefix `AS`.
        ///   - countryCode: the country, in two letters.
        ///   - type: how the device is connected.
        public init(
            name: String? = nil, asn: String? = nil, countryCode: String? = nil,
            type: NetworkType? = nil
        ) {
            self.name = name
            self.asn = asn
            self.countryCode = countryCode
            self.type = type
        }

        /// Whether the network was identified: its number is not `AS0`, and its country is neither
        /// `ZZ` nor `XX`. Details without these properties count as valid.
        public var isValid: Bool { asn != "AS0" && countryCode != "ZZ" && countryCode != "XX" }
    }
}

extension OONIStore.NetworkDetails {
    /// The key by which networks are compared.
    var exact: [ExactString?] {
        [name, asn, countryCode, type?.rawValue].map { $0.map { ExactString($0) } }
    }
}
