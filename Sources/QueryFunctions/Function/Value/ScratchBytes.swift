/// A reusable byte buffer; its memory is retained unless it became large.
struct ScratchBytes: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    private(set) var count = 0

    /// Larger memory is freed after use.
    private static let retainedBytes = 1 << 20

    init() {
        memory = .allocate(byteCount: 1024, alignment: 8)
    }

    deinit {
        memory.deallocate()
    }

    /// The bytes, valid until the next change.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory.baseAddress, count: count)
    }

    /// Removes all bytes.
    mutating func removeAll() {
        count = 0
        guard memory.count > Self.retainedBytes else { return }
        memory.deallocate()
        memory = .allocate(byteCount: 1024, alignment: 8)
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count &+= 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let target = space(bytes.count) else { return }
        target.copyMemory(from: source, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// A pointer for the next bytes, with space for so many.
    private mutating func space(_ more: Int) -> UnsafeMutableRawPointer? {
        reserve(more)
        return memory.baseAddress.map { $0 + count }
    }

    private mutating func reserve(_ more: Int) {
        if memory.count &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * memory.count, count + more), alignment: 8)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}
