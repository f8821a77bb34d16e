package import DocumentStore

/// A JSON object of the tool's output, built property by property.
package struct JSONObject {
    private(set) var text = JSONText()
    private var isEmpty = true

    package init() {
        text.append("{")
    }

    private mutating func key(_ key: String) {
        if !isEmpty { text.append(",") }
        isEmpty = false
        text.append(quoted: key)
        text.append(":")
    }

    /// Adds a string; nil adds nothing.
    package mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        text.append(quoted: value)
    }

    /// Adds an integer; nil adds nothing.
    package mutating func add(_ name: String, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        key(name)
        text.append(value)
    }

    /// Adds a floating-point number; nil adds nothing, and a number that JSON cannot represent adds
    /// `null`.
    package mutating func add(_ name: String, _ value: Double?) {
        guard let value else { return }
        key(name)
        text.append(value)
    }

    /// Adds a Boolean; nil adds nothing.
    package mutating func add(_ name: String, _ value: Bool?) {
        guard let value else { return }
        key(name)
        text.append(value ? "true" : "false")
    }

    /// Adds an encoded value; nil adds nothing.
    package mutating func add(_ name: String, _ value: JSONText?) {
        guard let value else { return }
        key(name)
        text.utf8 += value.utf8
    }

    /// Adds strings.
    package mutating func add(_ name: String, _ values: [String]) {
        add(
            name,
            values.map { value in
                var text = JSONText()
                text.append(quoted: value)
                return text
            })
    }

    /// Adds encoded values.
    package mutating func add(_ name: String, _ values: [JSONText]) {
        key(name)
        text.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(",") }
            text.utf8 += value.utf8
        }
        text.append("]")
    }

    /// Adds the properties of another object.
    mutating func add(propertiesOf other: JSONObject) {
        let properties = other.properties
        guard !properties.isEmpty else { return }
        if !isEmpty { text.append(",") }
        isEmpty = false
        text.utf8 += properties
    }

    /// The properties, without the braces.
    var properties: ArraySlice<UInt8> { text.utf8.dropFirst() }

    /// The object so far, without its closing brace.
    var open: [UInt8] { text.utf8 }

    /// Closes and returns the object.
    package consuming func finished() -> JSONText {
        text.append("}")
        return text
    }
}

extension JSONText {
    /// Appends a floating-point number.
    mutating func append(_ number: Double) {
        guard number.isFinite else { return append("null") }
        utf8 += Array("\(number)".utf8)
    }
}
