/// The sequences of keys that dictionaries came with, as a tree: a node is what a dictionary looks
/// like after some of its keys. It remembers the key that came next the last time, so that most
/// keys cost one comparison, and the sorted order of a dictionary that ends there.
///
/// Documents of one kind repeat a few shapes; for others the tree stops growing, and it begins
/// again when too many dictionaries have found no place in it.
struct DictionaryShapes: ~Copyable {
    struct Node: BitwiseCopyable {
        /// The bytes that the node's key has in JSON, with the closing quote: 16 bytes of text
        /// that agree with `text` under `mask` begin with them.
        var text0: UInt64
        var text1: UInt64
        var mask0: UInt64
        var mask1: UInt64
        /// The key by which its parent was left, by its number in `KeyCache`.
        var key: UInt32
        var parent: UInt32
        /// The child that was taken last, 0 for none.
        var next: UInt32 = 0
        /// Where dictionaries begin that are values of the key, 0 if none has come yet.
        var nested: UInt32 = 0
        /// `unordered`, `sorted`, `irregular`, or where `orders` has the order of the pairs.
        var order: Int32 = Node.unordered
        /// How many keys lead here.
        var depth: UInt32
        /// Makes it 64 bytes, which are found by a shift.
        private var padding: UInt64 = 0

        static let unordered: Int32 = -1
        static let sorted: Int32 = -2
        /// A key comes twice.
        static let irregular: Int32 = -3

        /// A node whose text agrees with nothing.
        init(key: UInt32, parent: UInt32, depth: UInt32) {
            (text0, text1, mask0, mask1) = (1, 1, 0, 0)
            (self.key, self.parent, self.depth) = (key, parent, depth)
        }
    }

    /// The node of a dictionary that is not followed: no text agrees with its children.
    static let none: UInt32 = 0
    /// Where outermost dictionaries begin.
    static let root: UInt32 = 1

    private static let nodeLimit = 8192
    private static let depthLimit = 256
    /// This many dictionaries without a place, and the tree is planted again.
    private static let missLimit = 1 << 16

    private var buffer = GrowingBuffer<Node>(capacity: 64)
    private var orders = GrowingBuffer<UInt16>(capacity: 256)
    /// Open addressing: children by their parent and key, 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt32>
    private var slotCount = 128
    private let seed = HashSeed()
    private var misses = 0

    init() {
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        plant()
    }

    deinit {
        slots.deallocate()
    }

    @inline(__always)
    var nodes: UnsafeMutablePointer<Node> { buffer.base }

    @inline(__always)
    func order(at index: Int32) -> UnsafeMutablePointer<UInt16> { orders.base + Int(index) }

    /// Forgets all shapes.
    mutating func removeAll() {
        buffer.removeAll()
        orders.removeAll()
        slots.update(repeating: 0, count: slotCount)
        misses = 0
        plant()
    }

    /// A dictionary had no place: too many of those, and the tree no longer fits the documents.
    @inline(__always)
    mutating func countMiss() { misses &+= 1 }

    var isOutdated: Bool { misses > Self.missLimit && buffer.count > Self.nodeLimit / 2 }

    private mutating func plant() {
        var none = Node(key: .max, parent: 0, depth: 0)
        none.nested = Self.root
        buffer.append(none)
        buffer.append(Node(key: .max, parent: 0, depth: 0))
    }

}

extension DictionaryShapes {
    /// The node after one more key, `none` if there is no space for it.
    @inline(__always)
    mutating func child(of parent: UInt32, key: Int, _ text: ShortString) -> UInt32 {
        guard parent != Self.none else { return Self.none }
        let next = nodes[Int(parent)].next
        if next != 0, nodes[Int(next)].key == UInt32(truncatingIfNeeded: key) { return next }
        return otherChild(of: parent, key: UInt32(truncatingIfNeeded: key), text)
    }

    @inline(never)
    private mutating func otherChild(
        of parent: UInt32, key: UInt32, _ text: ShortString
    ) -> UInt32 {
        let place = place(parent, key)
        var child = slots[place]
        if child == 0 {
            guard buffer.count < Self.nodeLimit, nodes[Int(parent)].depth < Self.depthLimit else {
                return Self.none
            }
            var node = Node(key: key, parent: parent, depth: nodes[Int(parent)].depth + 1)
            Self.expect(text, in: &node)
            child = add(node)
            slots[place] = child
            if buffer.count * 2 > slotCount { growSlots() }
        }
        nodes[Int(parent)].next = child
        return child
    }

    /// Where a dictionary begins that is the value of the last key at `node`.
    @inline(__always)
    mutating func nested(in node: UInt32) -> UInt32 {
        let nested = nodes[Int(node)].nested
        return nested != 0 ? nested : addNested(in: node)
    }

    @inline(never)
    private mutating func addNested(in node: UInt32) -> UInt32 {
        guard buffer.count < Self.nodeLimit else { return Self.none }
        let nested = add(Node(key: .max, parent: node, depth: 0))
        nodes[Int(node)].nested = nested
        return nested
    }

    private mutating func add(_ node: Node) -> UInt32 {
        buffer.append(node)
        return UInt32(buffer.count - 1)
    }

    /// Remembers the order of the pairs of a dictionary that ends at `node`: for each place the
    /// number of the pair that goes there.
    mutating func record(order: UnsafeBufferPointer<UInt16>, at node: UInt32) {
        nodes[Int(node)].order = Int32(orders.count)
        for index in order { orders.append(index) }
    }

    /// The key's text, then its closing quote; nothing if JSON has to escape the text.
    private static func expect(_ text: ShortString, in node: inout Node) {
        let count = text.count
        let isPlain = text.withBytes { bytes in
            UTF8Validation.firstInvalid(in: bytes) == nil
                && bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x5C }
        }
        guard isPlain else { return }
        let quote = UInt64(UInt8(ascii: "\""))
        let bits = UInt64(8 * (count & 7))
        if count < 8 {
            node.text0 = text.low | quote << bits
            node.mask0 = bits == 56 ? .max : (1 << (bits + 8)) - 1
            (node.text1, node.mask1) = (0, 0)
        } else {
            (node.text0, node.mask0) = (text.low, .max)
            node.text1 = text.highBytes | quote << bits
            node.mask1 = bits == 56 ? .max : (1 << (bits + 8)) - 1
        }
    }

    private mutating func growSlots() {
        slots.deallocate()
        slotCount *= 2
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        for index in 2..<buffer.count where nodes[index].key != .max {
            slots[place(nodes[index].parent, nodes[index].key)] = UInt32(index)
        }
    }

    /// The slot of a child, or the free one where it belongs.
    private func place(_ parent: UInt32, _ key: UInt32) -> Int {
        let mask = slotCount - 1
        var place = seed.hash(UInt64(parent) << 32 | UInt64(key), 0) & mask
        while slots[place] != 0 {
            let child = nodes[Int(slots[place])]
            if child.parent == parent, child.key == key { break }
            place = (place + 1) & mask
        }
        return place
    }
}
