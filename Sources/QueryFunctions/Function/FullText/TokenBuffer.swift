/// The bytes of the current token of a text.
final class TokenBuffer {
    // Unchecked: dynamic exclusivity checks would cost more than the access.
    @exclusivity(unchecked)
    private var memory: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked)
    private var capacity = 128
    @exclusivity(unchecked)
    private(set) var count = 0

    init() {
        memory = .allocate(capacity: capacity)
        memory.initialize(repeating: 0, count: capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes, valid until the next change.
    var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Whether it has grown for an unusually long word.
    var isLarge: Bool { capacity > 1 << 12 }

    func removeAll() { count = 0 }

    /// The bytes as one number, if they are not too many.
    var packed: PackedWord? {
        @inline(__always) get {
            count <= PackedWord.longest ? PackedWord(memory, count: count) : nil
        }
    }

    /// Appends the bytes from `position` on, mapped by a table, and advances `position`; stops at
    /// a byte that the table maps to 0.
    @inline(__always)
    func append(
        _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
        by table: UnsafePointer<UInt8>
    ) {
        var source = position
        while source < end {
            if capacity &- count < 32 { grow(to: count + 32) }
            let pieceEnd = source + min(32, end - source)
            var target = memory + count
            while source < pieceEnd {
                let folded = table[Int(source.pointee)]
                if folded == 0 { break }
                target.pointee = folded
                target += 1
                source += 1
            }
            count = target - memory
            if source < pieceEnd { break }
        }
        position = source
    }

    /// Appends a code point.
    @inline(__always)
    func append(_ code: UInt32) {
        if capacity &- count < 4 { grow(to: count + 4) }
        count &+= LenientUTF8.write(code, to: memory + count)
    }

    /// Replaces all bytes.
    func replace(with bytes: UnsafeRawBufferPointer) {
        guard bytes.baseAddress != text.baseAddress, let source = bytes.baseAddress else { return }
        if capacity < bytes.count { grow(to: bytes.count) }
        UnsafeMutableRawPointer(memory).copyMemory(from: source, byteCount: bytes.count)
        count = bytes.count
    }

    /// Replaces all bytes by a short word.
    @inline(__always)
    func replace(with word: PackedWord) {
        UnsafeMutableRawPointer(memory).storeBytes(of: word, as: PackedWord.self)
        count = word.count
    }

    /// Whether two bytes occur next to each other.
    func contains(_ first: UInt8, _ second: UInt8) -> Bool {
        for index in stride(from: 1, to: count, by: 1) where memory[index] == second {
            if memory[index - 1] == first { return true }
        }
        return false
    }

    /// Replaces the second byte wherever the two bytes occur next to each other.
    func replace(_ first: UInt8, _ second: UInt8, with other: UInt8) {
        for index in stride(from: 1, to: count, by: 1) where memory[index] == second {
            if memory[index - 1] == first { memory[index] = other }
        }
    }

    private func grow(to needed: Int) {
        let larger = max(needed, 2 * capacity)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.initialize(repeating: 0, count: larger)
        memory.update(from: self.memory, count: count)
        self.memory.deallocate()
        self.memory = memory
        capacity = larger
    }
}
