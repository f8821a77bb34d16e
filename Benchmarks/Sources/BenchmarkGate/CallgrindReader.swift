/// Reads a file of callgrind line by line.
///
/// The format in short: after lines such as `events: Ir`, blocks of lines `fn=(7) name`, each
/// followed by lines of costs, `position cost`. `cfn=(9) name` and `calls=2 position` announce a
/// call, and the one line of costs after it is what the called function cost, which is counted
/// there once more. A name stands in full the first time, and is then only a number. The end is
/// `totals: cost`.
struct CallgrindReader {
    private var line = 0
    private var isCallgrind = false
    /// The column of the instructions in a line of costs.
    private var column: Int?
    private var positions = 1
    private var events: [Substring] = []
    private var names: [Int: Bool] = [:]
    /// Whether the function whose costs are read is an allocator, and the one that it calls.
    private var function = false
    private var callee: Bool?
    private var isCallCost = false
    private var own = 0
    private var total: Int?
    private var allocations = 0

    /// Takes the next line.
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

    /// What was counted, once all lines have been read.
    func profile() throws -> CallgrindProfile {
        guard isCallgrind else { throw GateError("this is not a file of callgrind") }
        guard let total, !isCallCost else {
            throw GateError("the file breaks off: callgrind did not come to its end")
        }
        guard total == own else {
            throw GateError("the lines make \(own) instructions, but the end says \(total)")
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

// The lines, by their kinds.
extension CallgrindReader {
    private mutating func readHeader(_ key: Substring, _ value: Substring) throws {
        switch key {
        case "version":
            guard value == "1" else { throw error("version \(value), where 1 is known") }
            isCallgrind = true
        case "positions":
            positions = value.split(separator: " ").count
            guard positions > 0 else { throw error("no positions") }
        case "events":
            events = value.split(separator: " ")
            guard let index = events.firstIndex(of: "Ir") else {
                throw error("the events are \(value): instructions, Ir, are not counted")
            }
            column = index
        case "totals":
            total = try sum(total ?? 0, number(value.split(separator: " "), at: column ?? 0))
        default:
            // What else stands there is for people, or a sum of what follows.
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
            guard let callee else { throw error("calls of nothing") }
            let count = try number(value.split(separator: " "), at: 0)
            if callee, !function { allocations = try sum(allocations, count) }
            self.callee = nil
            isCallCost = true
        case "fl", "fi", "fe", "ob", "cob", "cfi", "cfl":
            break
        default:
            throw error("\(key) is not known")
        }
    }

    private mutating func readCost(_ text: Substring) throws {
        guard let column else { throw error("costs before it is said what of") }
        if isCallCost {
            isCallCost = false
            return
        }
        let words = text.split(separator: " ")
        guard words.count <= positions + events.count else { throw error("too many costs") }
        guard words.count >= positions else { throw error("too few positions") }
        // Zeros at the end may be left out.
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

    /// `malloc'2` is `malloc`, called by itself, and `malloc@@GLIBC_2.2.5` one of its versions.
    private static func isAllocator(_ name: Substring) -> Bool {
        CallgrindProfile.allocators.contains(String(name.prefix { $0 != "'" && $0 != "@" }))
    }

    private func number(_ words: [Substring], at index: Int) throws -> Int {
        guard words.indices.contains(index) else { throw error("a number is missing") }
        guard let number = Int(words[index]), number >= 0 else {
            throw error("\(words[index]) is no count")
        }
        return number
    }

    private func sum(_ first: Int, _ second: Int) throws -> Int {
        let (sum, overflow) = first.addingReportingOverflow(second)
        guard !overflow else { throw error("more than can be counted") }
        return sum
    }
}
