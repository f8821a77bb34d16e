internal import FleeceLite

/// The parsed paths that functions of a connection were called with.
///
/// SQLite's auxiliary data lives only until the statement ends, and a trigger runs in a statement
/// for each document: so paths are cached here, by their text.
final class PathCache {
    private struct Slot {
        /// The first and the last bytes of the text: the whole text if it is short.
        var low: UInt64
        var high: UInt64
        var text: UnsafeMutableRawBufferPointer
        var path: Unmanaged<PreparedPath>?
    }

    private static let slotCount = 512
    /// The maximum number of cached paths, and bytes of their source, before the cache is cleared.
    private static let maximumCount = 256
    private static let maximumBytes = 1 << 18
    /// Only the latest longer text is cached.
    private static let longText = 1 << 12

    /// The empty path, which is the value itself.
    let whole = PreparedPath(PropertyPath([]))
    private let slots: UnsafeMutablePointer<Slot>
    private var count = 0
    private var byteCount = 0
    private var longPath: (text: [UInt8], path: PreparedPath)?

    init() {
        slots = .allocate(capacity: Self.slotCount)
        let empty = Slot(low: 0, high: 0, text: .init(start: nil, count: 0), path: nil)
        slots.initialize(repeating: empty, count: Self.slotCount)
    }

    deinit {
        removeAll()
        slots.deallocate()
    }

    /// The path of a text, valid until the next call.
    ///
    /// - Throws: `.invalidData`, naming the path, if it cannot be parsed.
    @inline(__always)
    func path(_ text: UnsafeRawBufferPointer) throws -> Unmanaged<PreparedPath> {
        let (low, high) = Self.words(text)
        var index = Self.slotIndex(low, high, text.count)
        while let path = slots[index].path {
            if slots[index].low == low, slots[index].high == high, isText(text, at: index) {
                return path
            }
            index = (index &+ 1) & (Self.slotCount &- 1)
        }
        return try add(text)
    }

    /// Whether the text in a slot, with these first and last bytes, is this one.
    @inline(__always)
    private func isText(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
        let other = slots[index].text
        guard other.count == text.count else { return false }
        return text.count <= 16 || hasSameMiddle(text, UnsafeRawBufferPointer(other))
    }

    @inline(__always)
    private func hasSameMiddle(
        _ text: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        var offset = 8
        while offset &+ 8 < text.count {
            if text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        return true
    }

    /// The first 8 bytes and the last 8; for a shorter text, exactly its bytes.
    @inline(__always)
    private static func words(_ text: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        guard let start = text.baseAddress, text.count > 0 else { return (0, 0) }
        let count = text.count
        if count >= 8 {
            return (
                start.loadUnaligned(as: UInt64.self),
                start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return (
                UInt64(start.loadUnaligned(as: UInt32.self)),
                UInt64(start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
            )
        }
        let middle = UInt64(start.load(fromByteOffset: count / 2, as: UInt8.self))
        let last = UInt64(start.load(fromByteOffset: count &- 1, as: UInt8.self))
        return (UInt64(start.load(as: UInt8.self)), middle << 8 | last)
    }

    @inline(__always)
    private static func slotIndex(_ low: UInt64, _ high: UInt64, _ count: Int) -> Int {
        let mixed =
            (low ^ high &<< 1 ^ UInt64(truncatingIfNeeded: count) &<< 56)
            &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 55)
    }
}

extension PathCache {
    /// Parses a path that is not cached yet.
    @inline(never)
    private func add(_ text: UnsafeRawBufferPointer) throws -> Unmanaged<PreparedPath> {
        if text.isEmpty { return .passUnretained(whole) }
        if let longPath, longPath.text.elementsEqual(text) {
            return .passUnretained(longPath.path)
        }
        let path = PreparedPath(try Self.parse(text))
        guard text.count <= Self.longText else {
            longPath = ([UInt8](text), path)
            return .passUnretained(path)
        }
        if count == Self.maximumCount || byteCount + text.count > Self.maximumBytes { removeAll() }
        let (low, high) = Self.words(text)
        var index = Self.slotIndex(low, high, text.count)
        while slots[index].path != nil { index = (index + 1) & (Self.slotCount - 1) }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 8)
        copy.copyMemory(from: text)
        let retained = Unmanaged.passRetained(path)
        slots[index] = Slot(low: low, high: high, text: copy, path: retained)
        count += 1
        byteCount += text.count
        return retained
    }

    /// LiteCore's own rules, which ignore empty names: indexes on predictions have paths that begin
    /// with a dot.
    private static func parse(_ text: UnsafeRawBufferPointer) throws -> PropertyPath {
        let path = String(decoding: text, as: UTF8.self)
        do {
            return try PropertyPath(parsing: path, syntax: .lenient)
        } catch let error as FleeceError {
            let name = path.utf8.count > 200 ? "\(path.prefix(100))…" : path
            throw FleeceError(
                .invalidData, "the path '\(name)' is invalid: \(error.message)",
                offset: error.offset)
        }
    }

    private func removeAll() {
        for index in 0..<Self.slotCount {
            guard let path = slots[index].path else { continue }
            path.release()
            slots[index].text.deallocate()
            slots[index].path = nil
        }
        count = 0
        byteCount = 0
    }
}
