internal import FleeceLite

/// An object of the tool's own output, written property by property.
struct JSONObject {
    private(set) var text = JSONText()
    private var isEmpty = true

    init() {
        text.append("{")
    }

    private mutating func key(_ key: String) {
        if !isEmpty { text.append(",") }
        isEmpty = false
        text.append(quoted: key)
        text.append(":")
    }

    /// Adds a string, nothing for nil.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        text.append(quoted: value)
    }

    /// Adds an integer, nothing for nil.
    mutating func add(_ name: String, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        key(name)
        text.append(value)
    }

    /// Adds strings.
    mutating func add(_ name: String, _ values: [String]) {
        add(
            name,
            values.map { value in
                var text = JSONText()
                text.append(quoted: value)
                return text
            })
    }

    /// Adds values that are written already.
    mutating func add(_ name: String, _ values: [JSONText]) {
        key(name)
        text.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(",") }
            text.utf8 += value.utf8
        }
        text.append("]")
    }

    /// The object, closed.
    consuming func finished() -> JSONText {
        text.append("}")
        return text
    }
}
