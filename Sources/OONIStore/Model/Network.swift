internal import DocumentStore

extension OONIStore {
    /// A network in which results were measured.
    public struct Network: Codable, Hashable, Sendable, Identifiable {
        /// The number of a network, unique in the store and never assigned again.
        public struct ID: NumberID {
            /// The number, 1 or more.
            public var number: Int64

            /// Creates the id with a number.
            public init(_ number: Int64) {
                self.number = number
            }
        }

        /// The number of the network.
        public internal(set) var id: ID
        /// The properties that identify the network.
        public var details: NetworkDetails

        /// Creates a network, for example for a preview; `networks.register` creates the networks
        /// of a store.
        public init(id: ID, details: NetworkDetails) {
            (self.id, self.details) = (id, details)
        }
    }

    /// The properties of a network; two networks of a store differ in at least one of them.
    public struct NetworkDetails: Codable, Hashable, Sendable {
        /// The name of the operator.
        public var name: String?
        /// The number of the autonomous system, such as `AS1234`.
        public var asn: String?
        /// The country, in two letters.
        public var countryCode: String?
        /// How the device was connected to it.
        public var type: NetworkType?

        /// A network.
        public init(
            name: String? = nil, asn: String? = nil, countryCode: String? = nil,
            type: NetworkType? = nil
        ) {
            self.name = name
            self.asn = asn
            self.countryCode = countryCode
            self.type = type
        }

        /// Whether the network was identified: neither `AS0` nor `ZZ` nor `XX`.
        public var isValid: Bool { asn != "AS0" && countryCode != "ZZ" && countryCode != "XX" }
    }
}

extension OONIStore.NetworkDetails {
    /// The key by which networks are compared.
    var exact: [ExactString?] {
        [name, asn, countryCode, type?.rawValue].map { $0.map { ExactString($0) } }
    }
}
