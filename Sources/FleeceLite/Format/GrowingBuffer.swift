/// An array of trivial elements with one owner, whose storage is kept when it is emptied.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private(set) var capacity: Int

    /// Above this capacity, one that was hardly used is given back.
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

    /// Makes room for `more` elements behind the last.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    /// Counts elements that were written behind the last, into reserved room.
    @inline(__always)
    mutating func extend(_ more: Int) {
        count &+= more
    }

    @inline(__always)
    mutating func removeAll(from newCount: Int = 0) {
        count = newCount
    }

    /// Empties the buffer, and makes it smaller if it is large and was mostly empty.
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

    /// Appends a zero byte if the count is odd; every value starts at an even offset.
    @inline(__always)
    mutating func padToEven() {
        if count & 1 != 0 { append(0) }
    }

    /// Where the next byte goes.
    @inline(__always)
    var end: UnsafeMutableRawPointer { UnsafeMutableRawPointer(base + count) }
}
