/// Replaces matches by a template, as in ECMAScript: `$1` to `$99` are groups, `$&` is the match,
/// `` $` `` and `$'` are the text before and after it, `$$` is a dollar sign.
struct PatternReplacement {
    private let text: UnsafeRawBufferPointer
    private let template: UnsafeRawBufferPointer

    init(text: UnsafeRawBufferPointer, template: UnsafeRawBufferPointer) {
        self.text = text
        self.template = template
    }

    /// Writes the text with the first `most` matches replaced; all matches if `most` is negative.
    func write(
        _ search: borrowing CompiledPattern.Search, most: Int, to result: inout ScratchBytes
    ) throws {
        var (copied, from, left) = (0, 0, most)
        while left != 0, from <= text.count, let match = try search.first(from: from) {
            result.append(slice(copied..<match.lowerBound))
            try writeTemplate(search, match, to: &result)
            copied = match.upperBound
            // After an empty match the next search begins one code point later.
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

    /// The group that one or two digits name, and the number of digits.
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

/// Regular expressions. An invalid pattern, and one that takes too long, is an error of the
/// statement.
enum PatternFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("regexp_contains") {
                PatternFunctions.search($0, $1, $2) { $0.set(try $2.first() != nil) }
            },
            NamedFunction("regexp_like") {
                PatternFunctions.search($0, $1, $2) { $0.set(try $2.matchesWhole()) }
            },
            // Counts code points from 0; -1 if there is no match.
            NamedFunction("regexp_position") {
                PatternFunctions.search($0, $1, $2) { call, text, found in
                    guard let match = try found.first() else { return call.set(-1) }
                    call.set(CodePoints.count(in: text, before: match.lowerBound))
                }
            },
            NamedFunction("regexp_replace") {
                FunctionCall.run($0, $1, $2, PatternFunctions.replace)
            },
        ]
    }

    @inline(__always)
    private static func search(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, UnsafeRawBufferPointer, borrowing CompiledPattern.Search) throws ->
            Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let text = call[0].text, call[1].text != nil else { return call.setAbsent() }
            try CompiledPattern.of(call, 1).search(text) { try body(call, text, $0) }
        }
    }

    /// The fourth argument limits the number of replacements; a negative number means all.
    private static func replace(_ call: FunctionCall) throws {
        guard !call.hasMissing, let text = call[0].text, call[1].text != nil,
            let template = call[2].text
        else { return call.setAbsent() }
        var left = -1
        if call.count == 4 {
            guard let most = call[3].integer else { return call.setNull() }
            left = most
        }
        try CompiledPattern.of(call, 1).search(text) { search in
            try call.setText { result in
                let replacement = PatternReplacement(text: text, template: template)
                try replacement.write(search, most: left, to: &result)
            }
        }
    }
}
