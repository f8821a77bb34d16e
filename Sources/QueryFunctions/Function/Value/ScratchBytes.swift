/// Bytes that are put together again and again; the memory is kept, unless it became large.
struct ScratchBytes: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    /// How many bytes there are.
    private(set) var count = 0

    /// Beyond this, memory that one result needed is given back.
    private static let keptBytes = 1 << 20

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

    /// Restarts.
    mutating func removeAll() {
        count = 0
        guard memory.count > Self.keptBytes else { return }
        memory.deallocate()
        memory = .allocate(byteCount: 1024, alignment: 8)
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count &+= 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let target = room(bytes.count) else { return }
        target.copyMemory(from: source, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// Where the next bytes go, with space for so many.
    private mutating func room(_ more: Int) -> UnsafeMutableRawPointer? {
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
