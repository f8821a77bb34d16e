internal import DocumentStore
internal import SampleData

/// A JSON document with placeholders that are filled for each generated document: `"{{integer(1,
/// 6)}}"`.
///
/// A string that consists of one placeholder becomes a value of the placeholder's type; in a longer
/// string, the placeholder is replaced by text. An array that begins with `"{{repeat(2, 5)}}"`
/// contains its other elements two to five times. The same seed generates the same documents.
package struct GeneratorTemplate {
    private indirect enum Node {
        case json(JSONText)
        case placeholder(GeneratorFunction)
        case text([Part])
        case array([Node])
        case repeated(GeneratorFunction, [Node])
        case object([(key: JSONText, value: Node)])
    }

    private enum Part {
        case text(String)
        case placeholder(GeneratorFunction)
    }

    private let root: Node

    /// Parses a template.
    ///
    /// - Throws: an error if the text is not a JSON object, or a placeholder is invalid.
    package init(_ json: [UInt8]) throws {
        let text = String(decoding: json, as: UTF8.self)
        let document: FleeceDocument
        do {
            document = try FleeceDocument(json: text)
        } catch let error as FleeceError {
            let location = TextLocation(offset: error.offset ?? 0, in: json[...])
            throw ToolError("invalid template, \(location): \(error.message)")
        }
        guard document.root.dictionary != nil else {
            throw ToolError("the template must be a JSON object")
        }
        root = try Self.node(document.root)
    }

    /// Appends the next document.
    func write(to text: inout JSONText, _ values: inout GeneratorValues) throws {
        try write(root, to: &text, &values)
    }

    private static func node(_ value: FleeceValue) throws -> Node {
        if let text = value.string { return try node(text) }
        if let array = value.array {
            if let first = array.first?.string, case .placeholder(let function) = try node(first),
                function.name == "repeat"
            {
                return .repeated(function, try array.dropFirst().map(node))
            }
            return .array(try array.map(node))
        }
        if let dictionary = value.dictionary {
            var pairs: [(key: JSONText, value: Node)] = []
            for (key, value) in dictionary {
                var text = JSONText()
                text.append(quoted: key)
                text.append(":")
                pairs.append((text, try node(value)))
            }
            return .object(pairs)
        }
        var writer = JSONWriter()
        try writer.write(value)
        return .json(writer.text)
    }

    private static func node(_ text: String) throws -> Node {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            if open.lowerBound > rest.startIndex {
                parts.append(.text(String(rest[..<open.lowerBound])))
            }
            let inside = rest[open.upperBound...]
            guard let close = inside.firstRange(of: "}}") else {
                throw ToolError("the template has {{ without }}: \"\(Text.line(text))\"")
            }
            parts.append(.placeholder(try GeneratorFunction(String(inside[..<close.lowerBound]))))
            rest = inside[close.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        if parts.count == 1, case .placeholder(let function) = parts[0] {
            return .placeholder(function)
        }
        return .text(parts)
    }

    private func write(
        _ node: Node, to text: inout JSONText, _ values: inout GeneratorValues
    ) throws {
        switch node {
        case .json(let json): text.utf8 += json.utf8
        case .placeholder(let function): text.utf8 += try values.json(function).utf8
        case .text(let parts):
            var whole = ""
            for part in parts {
                switch part {
                case .text(let piece): whole += piece
                case .placeholder(let function): whole += try values.text(function)
                }
            }
            text.append(quoted: whole)
        case .array(let nodes): try write(nodes, count: 1, to: &text, &values)
        case .repeated(let function, let nodes):
            try write(nodes, count: values.count(function), to: &text, &values)
        case .object(let pairs):
            text.append("{")
            for (index, pair) in pairs.enumerated() {
                if index > 0 { text.append(",") }
                text.utf8 += pair.key.utf8
                try write(pair.value, to: &text, &values)
            }
            text.append("}")
        }
    }

    private func write(
        _ nodes: [Node], count: Int, to text: inout JSONText, _ values: inout GeneratorValues
    ) throws {
        text.append("[")
        var isFirst = true
        for _ in 0..<count {
            for node in nodes {
                if !isFirst { text.append(",") }
                isFirst = false
                try write(node, to: &text, &values)
            }
        }
        text.append("]")
    }
}
