/// Puts a template in the place of matches, as ECMAScript does: `$1` to `$99` stand for groups,
/// `$&` for the match, `` $` `` and `$'` for what is before and after it, `$$` for a dollar sign.
struct PatternReplacement {
    private let text: UnsafeRawBufferPointer
    private let template: UnsafeRawBufferPointer

    init(text: UnsafeRawBufferPointer, template: UnsafeRawBufferPointer) {
        self.text = text
        self.template = template
    }

    /// Writes the text with so many matches replaced; all if `most` is negative.
    func write(
        _ search: borrowing CompiledPattern.Search, most: Int, to result: inout ScratchBytes
    ) throws {
        var (copied, from, left) = (0, 0, most)
        while left != 0, from <= text.count, let match = try search.first(from: from) {
            result.append(slice(copied..<match.lowerBound))
            try writeTemplate(search, match, to: &result)
            copied = match.upperBound
            // After an empty match the next one begins a code point later.
            from = match.isEmpty ? CodePoints.next(in: text, after: copied) : copied
            left -= left > 0 ? 1 : 0
            try FunctionLimits.requireBytes(result.count)
        }
        result.append(slice(copied..<text.count))
    }

    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text[range.clamped(to: 0..<text.count)])
    }

    private func writeTemplate(
        _ search: borrowing CompiledPattern.Search, _ match: Range<Int>,
        to result: inout ScratchBytes
    ) throws {
        var index = 0
        while index < template.count {
            let byte = template[index]
            index += 1
            guard byte == UInt8(ascii: "$"), index < template.count else {
                result.append(byte)
                continue
            }
            switch template[index] {
            case UInt8(ascii: "$"): result.append(byte)
            case UInt8(ascii: "&"): result.append(slice(match))
            case UInt8(ascii: "`"): result.append(slice(0..<match.lowerBound))
            case UInt8(ascii: "'"): result.append(slice(match.upperBound..<text.count))
            default:
                guard let (group, digits) = group(at: index, of: search.groupCount) else {
                    result.append(byte)
                    continue
                }
                index += digits - 1
                if let range = search.group(group) { result.append(slice(range)) }
            }
            index += 1
            try FunctionLimits.requireBytes(result.count)
        }
    }

    /// The group that one or two digits name, and how many they are.
    private func group(at index: Int, of count: Int) -> (Int, Int)? {
        guard let first = digit(index) else { return nil }
        if let second = digit(index + 1), (1...max(1, count)).contains(first * 10 + second),
            first * 10 + second <= count
        {
            return (first * 10 + second, 2)
        }
        return first > 0 && first <= count ? (first, 1) : nil
    }

    private func digit(_ index: Int) -> Int? {
        guard index < template.count, template[index] >= 0x30, template[index] <= 0x39 else {
            return nil
        }
        return Int(template[index]) - 0x30
    }
}
