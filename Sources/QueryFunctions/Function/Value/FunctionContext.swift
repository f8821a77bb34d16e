package import FleeceLite
internal import StoreFormat

/// The state that the SQL functions of one connection share.
///
/// It belongs to its connection and is used by one thread at a time, like the connection.
package final class FunctionContext {
    /// Reads the content of a blob by its digest; nil without blobs.
    package var readBlob: ((_ digest: String) -> [UInt8]?)?
    /// Reads the shared keys of the file on this connection, while a statement of it runs.
    package var loadKeys: (() -> SharedKeys?)?
    /// Unchecked: dynamic exclusivity checks would cost more than the access.
    @exclusivity(unchecked)
    private var isUnsure = false
    /// Whether no body can be read, because the shared keys of the snapshot are damaged.
    private var refusesBodies = false
    /// Whether a function needed a body that could not be read.
    package private(set) var hasRefusedBody = false
    /// The number of unreadable bodies that functions have met. Functions treat them as empty, so
    /// the caller must report them by other means.
    package private(set) var unreadableBodies = 0
    /// Writes arrays and dictionaries without shared keys.
    var encoder = FleeceEncoder()
    /// Writes the text of full-text indexes.
    var scalarText = ScalarTexts()
    /// The bytes of a result under construction; the memory is reused.
    var scratch = ScratchBytes()
    /// The paths that functions were called with.
    let paths = PathCache()
    /// The document, retained; a plain pointer, since changes of a stored property need exclusivity
    /// checks at each access.
    private let storage: UnsafeMutablePointer<Unmanaged<FleeceDocument>>

    /// Creates the state of a connection before its first snapshot, with the shared keys.
    ///
    /// - Throws: the errors of `FleeceDocument.empty(sharedKeys:)`: none in practice.
    package init(sharedKeys: SharedKeys) throws {
        let document = try FleeceDocument.empty(sharedKeys: sharedKeys)
        storage = .allocate(capacity: 1)
        storage.initialize(to: .passRetained(document))
    }

    deinit {
        storage.pointee.release()
        storage.deallocate()
    }

    /// An empty document with the shared keys of the snapshot, in whose context the bodies that
    /// SQLite lends are read.
    var document: FleeceDocument { storage.pointee.takeUnretainedValue() }

    /// The same without reference counting, valid until `use(_:)` is called with other keys.
    var borrowedDocument: Unmanaged<FleeceDocument> {
        @inline(__always) get {
            if isUnsure { reload() }
            return storage.pointee
        }
    }

    /// Makes the next function call load the shared keys of the file: for statements outside of
    /// snapshots, which see commits of other connections.
    package func forgetKeys() {
        refusesBodies = false
        isUnsure = loadKeys != nil
    }

    /// Makes functions record attempts to read a body, which is impossible until the shared keys
    /// are replaced.
    package func refuseBodies() {
        (isUnsure, refusesBodies, hasRefusedBody) = (true, true, false)
    }

    /// Called by a function before it reads a body: the keys are those of its statement.
    @inline(never)
    private func reload() {
        guard !refusesBodies else { return hasRefusedBody = true }
        isUnsure = false
        if let keys = loadKeys?() { use(keys) }
    }

    /// Uses these shared keys for bodies from now on; cheap if they are the same table.
    ///
    /// Call it between calls of functions, not from one.
    package func use(_ keys: SharedKeys) {
        (isUnsure, refusesBodies) = (false, false)
        guard !keys.isSameTable(as: document.sharedKeys) else { return }
        // An empty document is valid with any keys.
        guard let next = try? FleeceDocument.empty(sharedKeys: keys) else { return }
        storage.pointee.release()
        storage.pointee = .passRetained(next)
    }
}

extension FunctionContext {
    /// The root of borrowed bytes; nil if they have none.
    @inline(__always)
    func root(of bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        UnsafeFleeceValue(rootOf: bytes, borrowedDocument)
    }

    /// The root of a `body` column: of its Fleece, or, in rows of version 2.x, of the current
    /// revision's body in the revision tree. Nil if it is neither.
    @inline(__always)
    package func root(ofBody bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        root(of: bytes) ?? rootOfTree(bytes)
    }

    /// Records an unreadable body; an empty column, and a tree whose current revision has no body,
    /// are not unreadable.
    package func noteUnreadableBody(_ bytes: UnsafeRawBufferPointer) {
        if !isMissingBody(bytes) { unreadableBodies &+= 1 }
    }

    private func isMissingBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard RevisionTree.hasOutline(bytes) else { return false }
        return (try? RevisionTree.currentBody(in: bytes)?.isEmpty ?? true) == true
    }

    @inline(never)
    private func rootOfTree(_ bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        guard RevisionTree.hasOutline(bytes) else { return nil }
        guard let body = try? RevisionTree.currentBody(in: bytes) else { return nil }
        return root(of: body)
    }
}

extension FleeceEncoder {
    /// Writes an argument of an SQL function; a missing one becomes null.
    ///
    /// - Throws: the errors of copying a collection: `.invalidData`, `.outOfRange`.
    mutating func write(_ value: FunctionValue) throws {
        switch value {
        case .missing, .null: writeNull()
        case .boolean(let bool): writeBool(bool)
        case .integer(let number): writeInt(number)
        case .unsigned(let number): writeUInt(number)
        case .real(let number): writeReal(number)
        case .text(let text): writeText(text)
        case .data(let bytes): writeBytes(bytes)
        case .collection(let value): try write(value)
        }
    }
}

extension FunctionContext {
    /// Lends a value as a standalone document without shared keys and parent dictionaries; nil if
    /// it cannot be read.
    package func withDocument<T>(
        of value: FunctionValue, _ body: (UnsafeRawBufferPointer) -> T
    ) -> T? {
        do {
            try encoder.write(value)
            return try encoder.withFinishedBytes(body)
        } catch {
            encoder.reset()
            return nil
        }
    }
}
