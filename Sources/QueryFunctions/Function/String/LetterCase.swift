/// Texts in lower or upper case, by Unicode's full mapping: `ß` is `SS` in upper case.
enum LetterCase {
    case lower, upper
    /// Each word begins with a capital letter, the rest of it is lower case.
    case title

    /// Makes the text the result of a call.
    static func write(
        _ text: UnsafeRawBufferPointer, _ form: LetterCase, _ call: FunctionCall
    ) throws {
        // A code point may become three of up to as many bytes.
        try call.setText { result in
            guard form == .title || !writeASCII(text, form, &result) else { return }
            result.removeAll()
            var isInWord = false
            for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
                append(form.mapped(scalar, isInWord: isInWord), &result)
                let properties = scalar.properties
                isInWord =
                    properties.isAlphabetic || properties.numericType != nil
                    || isInWord && (scalar == "'" || properties.isCaseIgnorable)
                try FunctionLimits.requireBytes(result.count)
            }
        }
    }

    /// False if there is a byte beyond ASCII.
    private static func writeASCII(
        _ text: UnsafeRawBufferPointer, _ form: LetterCase, _ result: inout ScratchBytes
    ) -> Bool {
        let first = form == .lower ? UInt8(ascii: "A") : UInt8(ascii: "a")
        for byte in text {
            guard byte < 0x80 else { return false }
            result.append(byte &- first < 26 ? byte ^ 0x20 : byte)
        }
        return true
    }

    private func mapped(_ scalar: Unicode.Scalar, isInWord: Bool) -> String {
        switch self {
        case .lower: scalar.properties.lowercaseMapping
        case .upper: scalar.properties.uppercaseMapping
        case .title:
            isInWord ? scalar.properties.lowercaseMapping : scalar.properties.titlecaseMapping
        }
    }

    private static func append(_ text: String, _ result: inout ScratchBytes) {
        for byte in text.utf8 { result.append(byte) }
    }
}
