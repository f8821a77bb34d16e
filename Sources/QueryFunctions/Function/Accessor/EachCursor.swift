internal import FleeceLite
internal import SQLCore

/// Where a search of `fl_each` is, in the plain memory of its cursor; zeros are one without rows.
struct EachCursor: BitwiseCopyable {
    /// The row, and how many there are.
    var index = 0
    private(set) var count = 0
    /// A copy of what the rows are read in, since what SQLite lends is gone after the call; kept
    /// from search to search.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    /// What the rows' values are read in the place of, retained.
    private var document: Unmanaged<FleeceDocument>?
    /// The value at the path, and what is in it if it is a collection.
    private var root: UnsafeFleeceValue?
    private var items: UnsafeFleeceItems?

    /// Beyond this, memory that one search needed is given back.
    private static let keptBytes = 1 << 20

    /// Takes a value that is lent.
    mutating func open(_ value: UnsafeFleeceValue, _ functions: FunctionContext) {
        guard let items = UnsafeFleeceItems(value), items.inheritsFromParent else {
            return copy(value, functions)
        }
        _ = functions.withDocument(of: .collection(value)) { bytes in
            if let flat = functions.root(of: bytes) { copy(flat, functions) }
        }
    }

    private mutating func copy(_ value: UnsafeFleeceValue, _ functions: FunctionContext) {
        let bytes = value.surroundings
        guard value.kind != .undefined, let source = bytes.baseAddress else { return }
        let room = reserve(bytes.count)
        room.copyMemory(from: source, byteCount: bytes.count)
        let document = functions.borrowedDocument.retain()
        self.document = document
        let moved = value.moved(to: room, document)
        root = moved
        items = UnsafeFleeceItems(moved)
        count = items?.count ?? 1
    }

    private mutating func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        if let memory, capacity >= size { return memory }
        memory?.deallocate()
        let larger = max(size, 1024, min(2 * capacity, Self.keptBytes))
        let room = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        (memory, capacity) = (room, larger)
        return room
    }

    /// The value of the row; nil where there is none.
    var value: UnsafeFleeceValue? { items.map { $0.value(at: index) } ?? root }

    /// The array or dictionary whose rows these are, or the scalar.
    var whole: UnsafeFleeceValue? { root }

    /// The result is the key of a dictionary's entry, `NULL` for an element.
    func giveKey(_ call: SQLRawCall) {
        if let key = items?.key(at: index) { call.setText(key) } else { call.setNull() }
    }

    /// Ends the search, and keeps the memory for another.
    mutating func clear() {
        document?.release()
        document = nil
        (root, items) = (nil, nil)
        (index, count) = (0, 0)
        if capacity > Self.keptBytes { freeMemory() }
    }

    /// Frees all that the cursor has.
    mutating func free() {
        clear()
        freeMemory()
    }

    private mutating func freeMemory() {
        memory?.deallocate()
        (memory, capacity) = (nil, 0)
    }
}
