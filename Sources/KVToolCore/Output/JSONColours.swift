/// Colours JSON if standard output has colours: keys, strings, numbers and literals.
package enum JSONColours {
    /// Colours JSON, which may be a piece that does not split a string; returns it unchanged if
    /// colours are disabled.
    package static func coloured(_ json: [UInt8]) -> [UInt8] {
        Colour.isOn() ? painted(json) : json
    }

    static func painted(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count * 2)
        var position = 0
        while position < json.count {
            let end = tokenEnd(json, position)
            let token = json[position..<end]
            if let colour = colour(of: token, before: json[end...]) {
                result += colour.start
                result += token
                result += Colour.end
            } else {
                result += token
            }
            position = end
        }
        return result
    }

    /// The end of the token that starts at a position: a string, a literal or number, or other
    /// bytes.
    private static func tokenEnd(_ json: [UInt8], _ start: Int) -> Int {
        var position = start + 1
        let first = json[start]
        if first == UInt8(ascii: "\"") {
            while position < json.count, json[position] != first {
                position += json[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(position + 1, json.count)
        }
        let isWord = isInWord(first)
        while position < json.count, json[position] != UInt8(ascii: "\""),
            isInWord(json[position]) == isWord
        {
            position += 1
        }
        return position
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private static func colour(
        of token: ArraySlice<UInt8>, before rest: ArraySlice<UInt8>
    ) -> Colour? {
        guard let first = token.first else { return nil }
        let isString = first == UInt8(ascii: "\"")
        guard isString || isInWord(first) else { return nil }
        let next = rest.first { $0 != 0x20 }
        if next == UInt8(ascii: ":") { return .blue }
        if isString { return .green }
        let isNumber = first == UInt8(ascii: "-") || first < UInt8(ascii: "A")
        return isNumber ? .cyan : .yellow
    }
}
