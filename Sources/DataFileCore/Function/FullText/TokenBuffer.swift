/// The bytes of the current token of one text.
final class TokenBuffer {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity = 64
    private(set) var count = 0

    init() {
        memory = .allocate(capacity: capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes, valid until the next change.
    var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    func removeAll() { count = 0 }

    /// Appends an ASCII character.
    @inline(__always)
    func append(ascii byte: UInt8) {
        if count == capacity { grow(to: count + 1) }
        memory[count] = byte
        count &+= 1
    }

    /// Appends a code point.
    @inline(__always)
    func append(_ code: UInt32) {
        if capacity &- count < 4 { grow(to: count + 4) }
        count &+= LenientUTF8.write(code, to: memory + count)
    }

    /// Puts other bytes in place of those that are there.
    func replace(with bytes: UnsafeRawBufferPointer) {
        guard bytes.baseAddress != text.baseAddress, let source = bytes.baseAddress else { return }
        if capacity < bytes.count { grow(to: bytes.count) }
        UnsafeMutableRawPointer(memory).copyMemory(from: source, byteCount: bytes.count)
        count = bytes.count
    }

    /// Whether two bytes stand beside each other.
    func contains(_ first: UInt8, _ second: UInt8) -> Bool {
        for index in stride(from: 1, to: count, by: 1) where memory[index] == second {
            if memory[index - 1] == first { return true }
        }
        return false
    }

    /// Changes the second byte wherever the two stand beside each other.
    func replace(_ first: UInt8, _ second: UInt8, with other: UInt8) {
        for index in stride(from: 1, to: count, by: 1) where memory[index] == second {
            if memory[index - 1] == first { memory[index] = other }
        }
    }

    private func grow(to needed: Int) {
        let larger = max(needed, 2 * capacity)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.update(from: self.memory, count: count)
        self.memory.deallocate()
        self.memory = memory
        capacity = larger
    }
}
