/// Reads a file of callgrind line by line.
///
/// The format in short: after lines such as `events: Ir` follow blocks of lines `fn=(7) name`, each
/// followed by lines of costs, `position cost`. `cfn=(9) name` and `calls=2 position` announce a
/// call; the next line contains the cost of the called function, which is also counted in that
/// function's own block. A name is written in full the first time, and later only as its number.
/// The end is `totals: cost`.
struct CallgrindReader {
    private var line = 0
    private var isCallgrind = false
    /// The column of the instructions in a line of costs.
    private var column: Int?
    private var positions = 1
    private var events: [Substring] = []
    private var names: [Int: Bool] = [:]
    /// Whether the current function, and the function that it calls, is an allocator.
    private var function = false
    private var callee: Bool?
    private var isCallCost = false
    private var own = 0
    private var total: Int?
    private var allocations = 0

    /// Reads the next line.
    mutating func read(_ text: Substring) throws {
        line += 1
        guard let first = text.utf8.first, first != UInt8(ascii: "#") else { return }
        if Self.beginsCost(first) { return try readCost(text) }
        guard !isCallCost else { throw error("a call without its cost") }
        guard let end = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == colon })
        else { throw error("neither costs nor a name") }
        let (key, value) = (text[..<end], text[text.utf8.index(after: end)...])
        if text.utf8[end] == colon {
            try readHeader(key, value.drop { $0 == " " })
        } else {
            try readBody(key, value)
        }
    }

    /// The counts, once all lines have been read.
    func profile() throws -> CallgrindProfile {
        guard isCallgrind else { throw GateError("this is not a file of callgrind") }
        guard let total, !isCallCost else {
            throw GateError("the file is truncated: callgrind did not finish")
        }
        guard total == own else {
            throw GateError("the lines have \(own) instructions, but the total is \(total)")
        }
        return CallgrindProfile(instructions: own, allocations: allocations)
    }

    private var colon: UInt8 { UInt8(ascii: ":") }

    private static func beginsCost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"): true
        default: false
        }
    }

    private func error(_ what: String) -> GateError {
        GateError("line \(line) of callgrind's file: \(what)")
    }
}

// The kinds of lines.
extension CallgrindReader {
    private mutating func readHeader(_ key: Substring, _ value: Substring) throws {
        switch key {
        case "version":
            guard value == "1" else { throw error("version \(value) is not supported, only 1") }
            isCallgrind = true
        case "positions":
            positions = value.split(separator: " ").count
            guard positions > 0 else { throw error("there are no positions") }
        case "events":
            events = value.split(separator: " ")
            guard let index = events.firstIndex(of: "Ir") else {
                throw error("the events are \(value): instructions, Ir, are not counted")
            }
            column = index
        case "totals":
            total = try sum(total ?? 0, number(value.split(separator: " "), at: column ?? 0))
        default:
            // Other lines are for people, or sums of the following lines.
            break
        }
    }

    private mutating func readBody(_ key: Substring, _ value: Substring) throws {
        switch key {
        case "fn":
            function = try isAllocator(value)
        case "cfn":
            callee = try isAllocator(value)
        case "calls":
            guard let callee else { throw error("calls without a called function") }
            let count = try number(value.split(separator: " "), at: 0)
            if callee, !function { allocations = try sum(allocations, count) }
            self.callee = nil
            isCallCost = true
        case "fl", "fi", "fe", "ob", "cob", "cfi", "cfl":
            break
        default:
            throw error("\(key) is not a known key")
        }
    }

    private mutating func readCost(_ text: Substring) throws {
        guard let column else { throw error("costs before the events") }
        if isCallCost {
            isCallCost = false
            return
        }
        let words = text.split(separator: " ")
        guard words.count <= positions + events.count else { throw error("too many costs") }
        guard words.count >= positions else { throw error("too few positions") }
        // Trailing zeros may be omitted.
        guard words.count > positions + column else { return }
        own = try sum(own, number(words, at: positions + column))
    }

    /// Whether a name, `(7) malloc`, or `(7)` for one that was named before, is an allocator's.
    private mutating func isAllocator(_ text: Substring) throws -> Bool {
        guard text.first == "(", let end = text.firstIndex(of: ")"),
            let number = Int(text[text.index(after: text.startIndex)..<end])
        else { return Self.isAllocator(text) }
        let name = text[text.index(after: end)...].drop { $0 == " " }
        if name.isEmpty {
            guard let known = names[number] else { throw error("function \(number) has no name") }
            return known
        }
        let isAllocator = Self.isAllocator(name)
        names[number] = isAllocator
        return isAllocator
    }

    /// `malloc'2` is `malloc`, called recursively, and `malloc@@GLIBC_2.2.5` one of its versions.
    private static func isAllocator(_ name: Substring) -> Bool {
        CallgrindProfile.allocators.contains(String(name.prefix { $0 != "'" && $0 != "@" }))
    }

    private func number(_ words: [Substring], at index: Int) throws -> Int {
        guard words.indices.contains(index) else { throw error("a number is missing") }
        guard let number = Int(words[index]), number >= 0 else {
            throw error("\(words[index]) is not a count")
        }
        return number
    }

    private func sum(_ first: Int, _ second: Int) throws -> Int {
        let (sum, overflow) = first.addingReportingOverflow(second)
        guard !overflow else { throw error("the count overflows") }
        return sum
    }
}
