/// A customer of the query workloads, with nested objects and arrays.
package struct Customer: Codable, Sendable, Equatable {
    /// An address, with the previous one.
    package struct Address: Codable, Sendable, Equatable {
        var street: String
        var city: String
        var zip: String
        var country: String
        /// The previous address, which has none itself.
        var prev_address: PreviousAddress
    }

    /// An address without further ones.
    package struct PreviousAddress: Codable, Sendable, Equatable {
        var street: String
        var city: String
        var zip: String
        var country: String
    }

    /// A child.
    package struct Child: Codable, Sendable, Equatable {
        var first_name: String
        var gender: String
        var age: Int
    }

    /// A country, and the cities that were visited there.
    package struct VisitedCountry: Codable, Sendable, Equatable {
        var country: String
        var cities: [String]
    }

    var first_name: String
    var last_name: String
    var email: String
    /// The date of birth, such as 1963-04-17.
    var dob: String
    var age_group: String
    var balance: Int
    var active: Bool
    var address: Address
    var devices: [String]
    var children: [Child]
    var visited_places: [VisitedCountry]
    /// The IDs of orders.
    var order_list: [String]
}

/// An order of a customer.
package struct Order: Codable, Sendable, Equatable {
    var customer: String
    var month: String
    /// In cents.
    var sale_price: Int
    var product: String
    var quantity: Int
}
