/// Ids as names of files: what a name cannot hold is written as `%` and two hexadecimal digits.
enum EscapedID {
    /// The longest name that file systems take, without `.json` and a number behind it.
    private static let maximumLength = 240

    /// The name for an id, without an extension.
    static func name(_ id: String) -> String {
        var name: [UInt8] = []
        for byte in id.utf8 {
            if needsEscape(byte, isFirst: name.isEmpty) {
                name.append(UInt8(ascii: "%"))
                name += Text.hexadecimal([byte]).uppercased().utf8
            } else {
                name.append(byte)
            }
        }
        guard name.count > maximumLength else { return String(decoding: name, as: UTF8.self) }
        // The id stands in the file, too; here it only has to be another one than the others.
        var checksum = CRC32()
        name.withUnsafeBytes { checksum.add($0) }
        var start = name.prefix(maximumLength - 10)
        while let last = start.last, last >= 0x80 { start.removeLast() }
        return String(decoding: start, as: UTF8.self) + "~" + checksum.text
    }

    /// The id that a name stands for; the name itself if that is no text.
    static func id(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
        var id: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let escaped = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                id.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                id.append(byte)
            }
        }
        return String(validating: id, as: UTF8.self) ?? name
    }

    private static func needsEscape(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "."): isFirst
        case 0..<0x20, 0x7F, UInt8(ascii: "/"), UInt8(ascii: "\\"), UInt8(ascii: "%"),
            UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\""),
            UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"):
            true
        default: false
        }
    }
}
