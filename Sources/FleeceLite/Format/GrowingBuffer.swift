/// An array of trivial elements with one owner, which retains its storage when it is emptied.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private(set) var capacity: Int

    /// The capacity in bytes above which storage that was hardly used is freed.
    private static var keptBytes: Int { 1 << 20 }

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
    }

    @inline(__always)
    mutating func append(_ element: Element) {
        reserve(1)
        base[count] = element
        count &+= 1
    }

    /// Reserves space for `more` elements after the last one.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    /// Counts elements that were written after the last one, into reserved space.
    @inline(__always)
    mutating func extend(_ more: Int) {
        count &+= more
    }

    @inline(__always)
    mutating func removeAll(from newCount: Int = 0) {
        count = newCount
    }

    /// Empties the buffer, and shrinks it if it is large and was mostly empty.
    @inline(__always)
    mutating func recycle() {
        if capacity &* MemoryLayout<Element>.stride > Self.keptBytes { shrink() }
        count = 0
    }

    @inline(never)
    private mutating func shrink() {
        guard count < capacity / 16 else { return }
        capacity /= 4
        base.deallocate()
        base = .allocate(capacity: capacity)
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = max(capacity * 2, count + more)
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        copy.update(from: base, count: count)
        base.deallocate()
        base = copy
        capacity = larger
    }
}

extension GrowingBuffer where Element == UInt8 {
    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let source = bytes.baseAddress {
            UnsafeMutableRawPointer(base + count).copyMemory(
                from: source, byteCount: bytes.count)
        }
        count &+= bytes.count
    }

    /// The same for bytes of which 16 are readable even if the count is less,
    /// which is the common case.
    @inline(__always)
    mutating func append(run source: UnsafeRawPointer, count more: Int) {
        guard more <= 16 else {
            return append(UnsafeRawBufferPointer(start: source, count: more))
        }
        reserve(16)
        let target = UnsafeMutableRawPointer(base + count)
        target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
        let high = source.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        target.storeBytes(of: high, toByteOffset: 8, as: UInt64.self)
        count &+= more
    }

    /// Appends the UTF-8 of a scalar.
    mutating func append(_ scalar: Unicode.Scalar) {
        let code = scalar.value
        switch code {
        case 0..<0x80: append(UInt8(code))
        case 0x80..<0x800:
            append(UInt8(0xC0 | code >> 6))
            appendContinuation(code)
        case 0x800..<0x1_0000:
            append(UInt8(0xE0 | code >> 12))
            appendContinuation(code >> 6)
            appendContinuation(code)
        default:
            append(UInt8(0xF0 | code >> 18))
            appendContinuation(code >> 12)
            appendContinuation(code >> 6)
            appendContinuation(code)
        }
    }

    private mutating func appendContinuation(_ code: UInt32) {
        append(UInt8(0x80 | code & 0x3F))
    }

    /// Appends a zero byte if the count is odd; every value starts at an even offset.
    @inline(__always)
    mutating func padToEven() {
        if count & 1 != 0 { append(0) }
    }

    /// The address of the next byte.
    @inline(__always)
    var end: UnsafeMutableRawPointer { UnsafeMutableRawPointer(base + count) }
}
