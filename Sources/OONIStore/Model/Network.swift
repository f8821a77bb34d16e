internal import DocumentStore

extension OONIStore {
    /// A network that results were made in.
    public struct Network: Codable, Hashable, Sendable, Identifiable {
        /// The number of a network, which no other one has or will have.
        public struct ID: NumberID {
            /// The number, 1 or more.
            public var number: Int64

            /// The id of a number.
            public init(_ number: Int64) {
                self.number = number
            }
        }

        /// Its number.
        public internal(set) var id: ID
        /// What it is.
        public var details: NetworkDetails

        /// A network, as a preview shows it; `networks.register` makes those of a store.
        public init(id: ID, details: NetworkDetails) {
            (self.id, self.details) = (id, details)
        }
    }

    /// What a network is; two networks of a store differ in one of these.
    public struct NetworkDetails: Codable, Hashable, Sendable {
        /// Whom it belongs to.
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

        /// Whether the look-up of the network has found one: neither `AS0` nor `ZZ` nor `XX`.
        public var isValid: Bool { asn != "AS0" && countryCode != "ZZ" && countryCode != "XX" }
    }
}

extension OONIStore.NetworkDetails {
    /// What makes two networks one.
    var exact: [ExactString?] {
        [name, asn, countryCode, type?.rawValue].map { $0.map { ExactString($0) } }
    }
}
