/// The key sequences of the dictionaries written so far, as a tree: a node stands for a dictionary
/// after some of its keys. It stores the key that followed most recently, so that most keys cost
/// one comparison, and the sorted order of a dictionary that ends there.
///
/// Documents of one kind repeat a few shapes. For others the tree stops growing, and it is cleared
/// when too many dictionaries did not fit into it.
struct DictionaryShapes: ~Copyable {
    struct Node: BitwiseCopyable {
        /// The JSON bytes of the node's key, with the closing quote: 16 bytes of input that equal
        /// `text` under `mask` start with the key.
        var text0: UInt64
        var text1: UInt64
        var mask0: UInt64
        var mask1: UInt64
        /// The last key of the node's path, by its number in `KeyCache`.
        var key: UInt32
        var parent: UInt32
        /// The child that was taken last; 0 for none.
        var next: UInt32 = 0
        /// The node at which dictionaries start that are values of the key; 0 if there is none yet.
        var nested: UInt32 = 0
        /// `unordered`, `sorted`, `irregular`, or the index in `orders` of the order of the pairs.
        var order: Int32 = Node.unordered
        /// The number of keys on the path to this node.
        var depth: UInt32
        /// Pads the node to 64 bytes, so that its address is computed by a shift.
        private var padding: UInt64 = 0

        static let unordered: Int32 = -1
        static let sorted: Int32 = -2
        /// A key occurs twice.
        static let irregular: Int32 = -3

        /// A node whose text matches no input.
        init(key: UInt32, parent: UInt32, depth: UInt32) {
            (text0, text1, mask0, mask1) = (1, 1, 0, 0)
            (self.key, self.parent, self.depth) = (key, parent, depth)
        }
    }

    /// The node of a dictionary whose shape is not tracked: no input matches its children.
    static let none: UInt32 = 0
    /// The node at which root dictionaries start.
    static let root: UInt32 = 1

    private static let nodeLimit = 8192
    private static let depthLimit = 256
    /// The number of dictionaries without a node after which the tree is cleared.
    private static let missLimit = 1 << 16

    private var buffer = GrowingBuffer<Node>(capacity: 64)
    private var orders = GrowingBuffer<UInt16>(capacity: 256)
    /// Open addressing: children by their parent and key; 0 for an empty slot.
    private var slots: UnsafeMutablePointer<UInt32>
    private var slotCount = 128
    private let seed = HashSeed()
    private var misses = 0

    init() {
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        addRoot()
    }

    deinit {
        slots.deallocate()
    }

    @inline(__always)
    var nodes: UnsafeMutablePointer<Node> { buffer.base }

    @inline(__always)
    func order(at index: Int32) -> UnsafeMutablePointer<UInt16> { orders.base + Int(index) }

    /// Removes all shapes.
    mutating func removeAll() {
        buffer.removeAll()
        orders.removeAll()
        slots.update(repeating: 0, count: slotCount)
        misses = 0
        addRoot()
    }

    /// Counts a dictionary without a node; after too many of them the tree no longer fits the
    /// documents and is cleared.
    @inline(__always)
    mutating func countMiss() { misses &+= 1 }

    var isOutdated: Bool { misses > Self.missLimit && buffer.count > Self.nodeLimit / 2 }

    private mutating func addRoot() {
        var none = Node(key: .max, parent: 0, depth: 0)
        none.nested = Self.root
        buffer.append(none)
        buffer.append(Node(key: .max, parent: 0, depth: 0))
    }

}

extension DictionaryShapes {
    /// The node after one more key; `none` if there is no space for it.
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
        let slotIndex = slotIndex(parent, key)
        var child = slots[slotIndex]
        if child == 0 {
            guard buffer.count < Self.nodeLimit, nodes[Int(parent)].depth < Self.depthLimit else {
                return Self.none
            }
            var node = Node(key: key, parent: parent, depth: nodes[Int(parent)].depth + 1)
            Self.expect(text, in: &node)
            child = add(node)
            slots[slotIndex] = child
            if buffer.count * 2 > slotCount { growSlots() }
        }
        nodes[Int(parent)].next = child
        return child
    }

    /// The node at which a dictionary starts that is the value of the last key at `node`.
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

    /// Stores the order of the pairs of a dictionary that ends at `node`: for each position the
    /// number of the pair that belongs there.
    mutating func record(order: UnsafeBufferPointer<UInt16>, at node: UInt32) {
        nodes[Int(node)].order = Int32(orders.count)
        for index in order { orders.append(index) }
    }

    /// Sets the expected bytes: the key and its closing quote; nothing if
    /// JSON has to escape the key.
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
            slots[slotIndex(nodes[index].parent, nodes[index].key)] = UInt32(index)
        }
    }

    /// The index of a child's slot, or of the free slot where it belongs.
    private func slotIndex(_ parent: UInt32, _ key: UInt32) -> Int {
        let mask = slotCount - 1
        var slotIndex = seed.hash(UInt64(parent) << 32 | UInt64(key), 0) & mask
        while slots[slotIndex] != 0 {
            let child = nodes[Int(slots[slotIndex])]
            if child.parent == parent, child.key == key { break }
            slotIndex = (slotIndex + 1) & mask
        }
        return slotIndex
    }
}
