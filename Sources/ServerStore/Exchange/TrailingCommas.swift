/// Commas behind the last element of an array or object, which JSON does not have.
enum TrailingCommas {
    /// Makes blanks of them, so that places of errors stay what they were. Strings are left alone,
    /// and so are commas that no value stands in front of: what is left is still no JSON.
    static func blank(_ json: inout [UInt8]) {
        json.withUnsafeMutableBufferPointer { blank($0) }
    }

    private static func blank(_ json: UnsafeMutableBufferPointer<UInt8>) {
        var place = 0
        // The comma that nothing has come after yet, and what stood before it or stands last.
        var comma: Int?
        var last = UInt8(ascii: "[")
        while place < json.count {
            let byte = json[place]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                place += 1
                continue
            case UInt8(ascii: "\""):
                comma = nil
                place = end(ofStringAt: place, in: json)
            case UInt8(ascii: ","):
                comma = endsValue(last) ? place : nil
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma { json[comma] = UInt8(ascii: " ") }
                comma = nil
            default:
                comma = nil
            }
            last = byte
            place += 1
        }
    }

    /// The quote that ends a string, or where the text ends.
    private static func end(
        ofStringAt start: Int, in json: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var place = start + 1
        while place < json.count, json[place] != UInt8(ascii: "\"") {
            place += json[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place
    }

    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"): false
        default: true
        }
    }
}
