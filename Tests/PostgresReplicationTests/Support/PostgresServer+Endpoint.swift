import Foundation
import PostgresReplication
import ProjectTestSupport

extension PostgresServer {
    /// An endpoint with tables of its own.
    func endpoint(buckets: Int = 1, notifications: Bool = true) throws -> PostgresEndpoint {
        try namedEndpoint(buckets: buckets, notifications: notifications).endpoint
    }

    /// An endpoint with tables of its own, and the name of its connections and of its schema.
    func namedEndpoint(
        buckets: Int = 1, notifications: Bool = true
    ) throws -> (endpoint: PostgresEndpoint, name: String) {
        let name = "test_" + UUID().uuidString.replacing("-", with: "").lowercased()
        let endpoint = try PostgresEndpoint(
            "\(url)?application_name=\(name)", schema: name, buckets: buckets,
            notifications: notifications)
        return (endpoint, name)
    }
}
