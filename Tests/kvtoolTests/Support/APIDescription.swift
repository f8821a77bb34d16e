import Foundation
import ProjectTestSupport

/// The OpenAPI document of `kvtool serve`.
struct APIDescription {
    /// A request that it describes.
    struct Operation {
        let method: String
        /// The path, such as `/{DB}/info.json`.
        let path: String
        /// The parameters of the query, by name.
        let query: [String: [String: Any]]
        let responses: [String: [String: Any]]

        /// As the manual writes it, with the parameters in the order of the alphabet.
        var text: String {
            let plain = path.filter { $0 != "{" && $0 != "}" }
            return APIDescription.text(method, plain, Array(query.keys))
        }

        /// Whether the response does not end.
        var isStream: Bool { content("200")["text/event-stream"] != nil }

        /// The content types of a response with their descriptions.
        func content(_ status: String) -> [String: [String: Any]] {
            responses[status]?["content"] as? [String: [String: Any]] ?? [:]
        }
    }

    private let root: [String: Any]
    private(set) var operations: [Operation] = []

    static let file = PackageDirectory.url.appending(path: "Sources/CInspectorPages/openapi.json")

    /// Reads the document of the sources.
    init() throws {
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file))
        root = object as? [String: Any] ?? [:]
        for (path, item) in root["paths"] as? [String: [String: Any]] ?? [:] {
            for (method, value) in item {
                guard let item = value as? [String: Any] else { continue }
                let operation = described(item, method.uppercased(), path)
                operations.append(operation)
            }
        }
        operations.sort { $0.text < $1.text }
    }

    private func described(
        _ operation: [String: Any], _ method: String, _ path: String
    ) -> Operation {
        var query: [String: [String: Any]] = [:]
        for parameter in operation.list("parameters").map({ resolved($0) })
        where parameter["in"] as? String == "query" {
            query[parameter["name"] as? String ?? ""] = parameter
        }
        let responses = operation["responses"] as? [String: [String: Any]] ?? [:]
        return Operation(
            method: method, path: path, query: query,
            responses: responses.mapValues { resolved($0) })
    }

    /// A request as text, by which requests are compared.
    static func text(_ method: String, _ path: String, _ parameters: [String]) -> String {
        "\(method) \(path)?\(parameters.sorted().joined(separator: "&"))"
    }

    /// What a reference refers to; everything else as it is.
    private func resolved(_ object: [String: Any]) -> [String: Any] {
        guard let reference = object["$ref"] as? String else { return object }
        var found: Any? = root
        for name in reference.split(separator: "/").dropFirst() {
            found = (found as? [String: Any])?[String(name)]
        }
        return found as? [String: Any] ?? [:]
    }
}

// Values and their schemas.
extension APIDescription {
    /// How a value differs from its schema; empty if it does not.
    func differences(_ value: Any, _ schema: [String: Any], at path: String = "$") -> [String] {
        let schema = resolved(schema)
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = choices.map { differences(value, $0, at: path) }
            return all.contains { $0.isEmpty } ? [] : all.flatMap { $0 }
        }
        if let constant = schema["const"] as? String, value as? String != constant {
            return ["\(path) is \(value), not \(constant)"]
        }
        if let choices = schema["enum"] as? [String], !choices.contains(value as? String ?? "") {
            return ["\(path) is \(value), not one of \(choices)"]
        }
        if let type = schema["type"] as? String, !Self.isValue(value, of: type) {
            return ["\(path) is not of the type \(type): \(value)"]
        }
        if let values = value as? [Any], let items = schema["items"] as? [String: Any] {
            return values.flatMap { differences($0, items, at: path + "[]") }
        }
        guard let object = value as? [String: Any] else { return [] }
        return differences(of: object, schema, at: path)
    }

    private func differences(
        of object: [String: Any], _ schema: [String: Any], at path: String
    ) -> [String] {
        let required = schema["required"] as? [String] ?? []
        var found = required.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
        // Without a list of them, the properties are those of a document.
        guard let properties = schema["properties"] as? [String: [String: Any]] else {
            return found
        }
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            if let property = properties[name] {
                found += differences(value, property, at: "\(path).\(name)")
            } else {
                found.append("\(path).\(name) is not described")
            }
        }
        return found
    }

    private static func isValue(_ value: Any, of type: String) -> Bool {
        switch type {
        case "string": value is String
        case "boolean": value is Bool
        case "integer", "number": value is Int || value is Double
        case "array": value is [Any]
        case "object": value is [String: Any]
        default: false
        }
    }
}
