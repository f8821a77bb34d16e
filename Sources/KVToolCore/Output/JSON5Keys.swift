/// Makes JSON5 of JSON: keys that are plain words lose their quotes.
package enum JSON5Keys {
    /// The same value in JSON5.
    package static func unquoted(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var place = 0
        while place < json.count {
            guard json[place] == quote else {
                result.append(json[place])
                place += 1
                continue
            }
            let end = stringEnd(json, after: place)
            let content = json[(place + 1)..<(end - 1)]
            let isKey = end < json.count && json[end] == UInt8(ascii: ":")
            result += isKey && isWord(content) ? content : json[place..<end]
            place = end
        }
        return result
    }

    private static let quote = UInt8(ascii: "\"")

    /// The place behind the quote that ends a string.
    private static func stringEnd(_ json: [UInt8], after start: Int) -> Int {
        var place = start + 1
        while place < json.count, json[place] != quote {
            place += json[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, json.count)
    }

    private static func isWord(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.allSatisfy {
            switch $0 {
            case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "_"), UInt8(ascii: "$"): true
            default: false
            }
        }
        return letters && text.first.map { !(0x30...0x39).contains($0) } ?? false
    }
}
