internal import FleeceLite
internal import SQLCore

/// The state of an `fl_each` scan, in the plain memory of its cursor; all zeros is a cursor without
/// rows.
struct EachCursor: BitwiseCopyable {
    /// The current row, and the number of rows.
    var index = 0
    private(set) var count = 0
    /// A copy of the scanned bytes, since SQLite's are valid only during the call; reused by later
    /// scans.
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    /// The document whose shared keys apply to the rows' values, retained.
    private var document: Unmanaged<FleeceDocument>?
    /// The value at the path, and its items if it is a collection.
    private var root: UnsafeFleeceValue?
    private var items: UnsafeFleeceItems?

    /// Larger memory is freed after a scan.
    private static let retainedBytes = 1 << 20

    /// Opens a borrowed value.
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
        let space = reserve(bytes.count)
        space.copyMemory(from: source, byteCount: bytes.count)
        let document = functions.borrowedDocument.retain()
        self.document = document
        let moved = value.moved(to: space, document)
        root = moved
        items = UnsafeFleeceItems(moved)
        count = items?.count ?? 1
    }

    private mutating func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        if let memory, capacity >= size { return memory }
        memory?.deallocate()
        let larger = max(size, 1024, min(2 * capacity, Self.retainedBytes))
        let space = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        (memory, capacity) = (space, larger)
        return space
    }

    /// The value of the current row; nil at the end.
    var value: UnsafeFleeceValue? { items.map { $0.value(at: index) } ?? root }

    /// The array or dictionary whose items are the rows, or the scalar.
    var whole: UnsafeFleeceValue? { root }

    /// Sets the result to the key of a dictionary entry; `NULL` for an array element.
    func giveKey(_ call: SQLRawCall) {
        if let key = items?.key(at: index) { call.setText(key) } else { call.setNull() }
    }

    /// Ends the scan, and retains the memory for the next one.
    mutating func clear() {
        document?.release()
        document = nil
        (root, items) = (nil, nil)
        (index, count) = (0, 0)
        if capacity > Self.retainedBytes { freeMemory() }
    }

    /// Frees all memory of the cursor.
    mutating func free() {
        clear()
        freeMemory()
    }

    private mutating func freeMemory() {
        memory?.deallocate()
        (memory, capacity) = (nil, 0)
    }
}
