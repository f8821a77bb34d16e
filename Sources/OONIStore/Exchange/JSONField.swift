internal import DocumentStore

/// A column that contains JSON. What cannot be read is reported and counts as missing; so do NULL,
/// an empty string, and the word `null`, which the app writes, too.
struct JSONField {
    private let text: String?
    private let name: String

    init(_ text: String?, _ name: String) {
        self.text = text.flatMap { ["", "null"].contains($0) ? nil : $0 }
        self.name = name
    }

    func nettests(_ problems: inout [String]) -> [OONIStore.NetTest]? {
        read(&problems) { try OONIStore.NetTest.list($0, name) }
    }

    func strings(_ problems: inout [String]) -> [String: String] {
        let strings = read(&problems) { value in
            var object = DescriptorObject(value: value, path: "")
            return (object.strings(of: value, name), object.problems)
        }
        problems += strings?.1 ?? []
        return strings?.0 ?? [:]
    }

    /// Revision numbers. The migration that added the column wrote an empty list, which means that
    /// the revisions are unknown.
    func revisions(_ problems: inout [String]) -> [Int]? {
        let numbers = read(&problems) { value in
            var object = DescriptorObject(value: value, path: "")
            return (object.revisions(of: value, name), object.problems)
        }
        problems += numbers?.1 ?? []
        return numbers?.0.flatMap { $0.isEmpty ? nil : $0 }
    }

    func value<Value: Decodable>(_ type: Value.Type, _ problems: inout [String]) -> Value? {
        read(&problems) { try FleeceRowDecoder.shared.decode(type, from: $0) }
    }

    /// The network of a measurement: the app has written the connection type under two names.
    func network(_ problems: inout [String]) -> OONIStore.NetworkDetails? {
        read(&problems) { value in
            guard let object = value.dictionary else {
                throw OONIStoreError(.notReadable, "it is not an object")
            }
            let type = object["networkType"] ?? object["network_type"]
            return OONIStore.NetworkDetails(
                name: object["network_name"]?.string, asn: object["asn"]?.string,
                countryCode: object["country_code"]?.string,
                type: (type?.string ?? type?["value"]?.string).map { .init(rawValue: $0) })
        }
    }

    private func read<T>(
        _ problems: inout [String], _ body: (FleeceValue) throws -> T
    ) -> T? {
        guard let text else { return nil }
        do {
            return try body(FleeceDocument(json: text).root)
        } catch {
            problems.append("\(name) cannot be read: \(error)")
            return nil
        }
    }
}
