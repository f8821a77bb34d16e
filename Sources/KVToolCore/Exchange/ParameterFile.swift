package import DocumentStore

/// The value of a query parameter from a file: `@FILE`, or `@FILE#PATH` for a part of it, such as
/// `@queries.ndjson#[2].vector`.
///
/// The ending of the name is the format: lines of JSON (`.ndjson`, `.jsonl`) are an array; `.f32`
/// are the single-precision numbers of one vector, little-endian, and `.npy` those of one or
/// several, as NumPy writes them; others are JSON.
package struct ParameterFile {
    private let path: String
    private let part: [PropertyPath.Component]

    /// Nil unless the text begins with `@`. Throws for an invalid path of a part.
    package init?(_ text: String) throws {
        guard text.hasPrefix("@"), text.utf8.count > 1 else { return nil }
        let rest = text.dropFirst()
        guard let mark = rest.lastIndex(of: "#") else {
            (path, part) = (String(rest), [])
            return
        }
        path = String(rest[..<mark])
        part = try BodyPath.parse(String(rest[rest.index(after: mark)...])).components
    }

    /// Reads the value. Throws if the file has no such part.
    package func value() throws -> QueryValue {
        switch path.split(separator: ".").last?.lowercased() {
        case "ndjson", "jsonl": try line()
        case "f32": try numbers()
        case "npy": try vector()
        default: try value(try json(InputFile.contents(of: path)), part[...])
        }
    }

    // JSON.

    private func json(_ bytes: [UInt8]) throws -> QueryValue {
        do {
            return try QueryValue(json: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ToolError("\(Text.line(path)) is not JSON: \(error)")
        }
    }

    private func line() throws -> QueryValue {
        guard case .index(let index)? = part.first, index >= 0 else {
            throw ToolError(
                "\(Text.line(path)) has a value in each line; append the line, counted from 0, "
                    + "such as #[0] or #[0].vector", status: .usage)
        }
        var reader = try LineReader(path: path)
        var position = 0
        while let value = try reader.next({ bytes in
            position == index ? try json(Array(bytes)) : .missing
        }) {
            if position == index { return try self.value(value, part.dropFirst()) }
            position += 1
        }
        throw missing("it has \(Text.count(position, "line"))")
    }

    /// The part of a value.
    private func value(
        _ value: QueryValue, _ part: ArraySlice<PropertyPath.Component>
    ) throws -> QueryValue {
        guard !part.isEmpty else { return value }
        let path = PropertyPath(Array(part))
        let found: FleeceValue? =
            switch value {
            case .array(let array): array.value[path]
            case .dictionary(let dictionary): dictionary[path]
            default: nil
            }
        guard let found else { throw missing("it has no \(path)") }
        return QueryValue(found)
    }

    private func missing(_ reason: String) -> ToolError {
        ToolError(
            "\(Text.line(path)) has no value at \(PropertyPath(part)): \(Text.line(reason))",
            status: .notFound)
    }
}

// Vectors.
extension ParameterFile {
    private func numbers() throws -> QueryValue {
        let bytes = try InputFile.contents(of: path)
        guard part.isEmpty, !bytes.isEmpty, bytes.count.isMultiple(of: 4) else {
            throw ToolError(
                part.isEmpty
                    ? "\(Text.line(path)) is not a vector of single-precision numbers"
                    : "\(Text.line(path)) is one vector; for several, use .npy or .ndjson",
                status: .usage)
        }
        return .data(bytes)
    }

    private func vector() throws -> QueryValue {
        let array = try NumPyArray(InputFile.contents(of: path), path)
        switch (array.shape.count, part.first) {
        case (1, nil): return .data(array.row(0))
        case (2, .index(let index)?) where part.count == 1:
            guard array.rows.contains(index) else {
                throw missing("it has \(Text.count(array.shape[0], "vector"))")
            }
            return .data(array.row(index))
        case (2, nil):
            throw ToolError(
                "\(Text.line(path)) has \(Text.count(array.shape[0], "vector")); append one, "
                    + "counted from 0, such as #[0]", status: .usage)
        default: throw missing("it is an array of \(Text.count(array.shape.count, "dimension"))")
        }
    }
}
