/// JSON in colours, where standard output has them: keys, strings, numbers and words.
enum JSONColours {
    /// The text, or a piece of it that cuts no string, in colours; as it is where there are none.
    static func coloured(_ json: [UInt8]) -> [UInt8] {
        Colour.isOn() ? painted(json) : json
    }

    static func painted(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count * 2)
        var place = 0
        while place < json.count {
            let end = tokenEnd(json, place)
            let token = json[place..<end]
            if let colour = colour(of: token, before: json[end...]) {
                result += colour.start
                result += token
                result += Colour.end
            } else {
                result += token
            }
            place = end
        }
        return result
    }

    /// The end of the string, the word or number, or the other bytes that begin at a place.
    private static func tokenEnd(_ json: [UInt8], _ start: Int) -> Int {
        var place = start + 1
        let first = json[start]
        if first == UInt8(ascii: "\"") {
            while place < json.count, json[place] != first {
                place += json[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(place + 1, json.count)
        }
        let isWord = isInWord(first)
        while place < json.count, json[place] != UInt8(ascii: "\""), isInWord(json[place]) == isWord
        {
            place += 1
        }
        return place
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
