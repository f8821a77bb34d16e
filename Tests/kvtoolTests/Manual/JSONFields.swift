import Foundation

/// The fields of a command's JSON: `documents[].id` is one of the objects in the array `documents`.
enum JSONFields {
    /// What tables `field | type | meaning` say.
    struct Table {
        /// All fields that they name.
        var fields: Set<String> = []
        /// Those that hold what users have stored: their type is `JSON`.
        var opaque: Set<String> = []
        /// Those that only some databases make a command write: their type is in italics.
        var rare: Set<String> = []
    }

    /// The fields that a value has.
    ///
    /// - Parameter opaque: fields that hold what users have stored; what is in them is not a field.
    static func paths(of value: Any, opaque: Set<String>, at path: String = "") -> Set<String> {
        guard !opaque.contains(path) else { return [] }
        if let object = value as? [String: Any] {
            return object.reduce(into: []) { found, property in
                let inner = path.isEmpty ? property.key : "\(path).\(property.key)"
                found.insert(inner)
                found.formUnion(paths(of: property.value, opaque: opaque, at: inner))
            }
        }
        guard let array = value as? [Any] else { return [] }
        return array.reduce(into: []) { found, element in
            found.formUnion(paths(of: element, opaque: opaque, at: "\(path)[]"))
        }
    }

    /// What the tables of a section say.
    static func tables(in lines: [String]) -> Table {
        var table = Table()
        var isInside = false
        for line in lines {
            if line == "| field | type | meaning |" {
                isInside = true
            } else if !line.hasPrefix("|") {
                isInside = false
            } else if isInside, !line.hasPrefix("|---") {
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                guard cells.count >= 2 else { continue }
                let names = cells[0].split(separator: ", ").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: "` "))
                }
                table.fields.formUnion(names)
                if cells[1].contains("JSON") { table.opaque.formUnion(names) }
                if cells[1].hasPrefix("*") { table.rare.formUnion(names) }
            }
        }
        return table
    }
}
