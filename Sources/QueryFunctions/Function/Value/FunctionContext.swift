package import FleeceLite
internal import StoreFormat

/// What the SQL functions of one connection share.
///
/// It belongs to its connection and is used by one thread at a time, as that is.
package final class FunctionContext {
    /// Finds the contents of a blob by its digest; nil where there are no blobs.
    package var readBlob: ((_ digest: String) -> [UInt8]?)?
    /// Reads the shared keys of the file on this connection, while a statement of it runs.
    package var loadKeys: (() -> SharedKeys?)?
    /// Unchecked: entering each access in a list at run time would cost more than the access.
    @exclusivity(unchecked)
    private var isUnsure = false
    /// Whether no body can be read, since the shared keys of the snapshot are damaged.
    private var refusesBodies = false
    /// Whether a function would have had to read one.
    package private(set) var hasRefusedBody = false
    /// How many calls of functions have met a body that is none. To them it has no properties; so
    /// whoever asks for it must be told in another way.
    package private(set) var unreadableBodies = 0
    /// Writes arrays and dictionaries without shared keys.
    var encoder = FleeceEncoder()
    /// Writes the texts of full-text indexes.
    var texts = ScalarTexts()
    /// Bytes of a result that are put together; kept from call to call.
    var scratch = ScratchBytes()
    /// The paths that functions were called with.
    let paths = PathCache()
    /// The document, retained; a plain pointer, since each use of a stored property that changes
    /// is kept account of.
    private let place: UnsafeMutablePointer<Unmanaged<FleeceDocument>>

    /// What functions of a connection need before the first snapshot: the shared keys.
    ///
    /// Throws what `FleeceDocument.empty(sharedKeys:)` does: nothing in practice.
    package init(sharedKeys: SharedKeys) throws {
        let document = try FleeceDocument.empty(sharedKeys: sharedKeys)
        place = .allocate(capacity: 1)
        place.initialize(to: .passRetained(document))
    }

    deinit {
        place.pointee.release()
        place.deallocate()
    }

    /// A document of no properties with the shared keys of the snapshot: in its place the bodies
    /// are read that SQLite lends.
    var document: FleeceDocument { place.pointee.takeUnretainedValue() }

    /// The same without a count of references, valid until `use(_:)` is called with other keys.
    var borrowedDocument: Unmanaged<FleeceDocument> {
        @inline(__always) get {
            if isUnsure { reload() }
            return place.pointee
        }
    }

    /// Makes the next call of a function look up the shared keys of the file: for statements
    /// outside of snapshots, which see what others have committed meanwhile.
    package func forgetKeys() {
        refusesBodies = false
        isUnsure = loadKeys != nil
    }

    /// Makes functions note that they would have read a body, which cannot be done right until
    /// there are other shared keys.
    package func refuseBodies() {
        (isUnsure, refusesBodies, hasRefusedBody) = (true, true, false)
    }

    /// In a call of a function, before it reads any body: the keys are those of its statement.
    @inline(never)
    private func reload() {
        guard !refusesBodies else { return hasRefusedBody = true }
        isUnsure = false
        if let keys = loadKeys?() { use(keys) }
    }

    /// Reads bodies with these shared keys from now on; costs little if they are the same table.
    ///
    /// Call it between calls of functions, not from one.
    package func use(_ keys: SharedKeys) {
        (isUnsure, refusesBodies) = (false, false)
        guard !keys.isSameTable(as: document.sharedKeys) else { return }
        // Two bytes that are known to be a document are one with any keys.
        guard let next = try? FleeceDocument.empty(sharedKeys: keys) else { return }
        place.pointee.release()
        place.pointee = .passRetained(next)
    }
}

extension FunctionContext {
    /// The root of borrowed bytes, nil if they have none.
    @inline(__always)
    func root(of bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        UnsafeFleeceValue(rootOf: bytes, borrowedDocument)
    }

    /// The root of a `body` column: of the Fleece that it is, or of the current revision's in the
    /// tree that it is in rows of 2.x. Nil if it is neither.
    @inline(__always)
    package func root(ofBody bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        root(of: bytes) ?? rootOfTree(bytes)
    }

    /// Notes that these bytes are no body; none are, and a tree whose current revision has none.
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
    /// Writes an argument of a SQL function; a missing one becomes null.
    ///
    /// Throws what copying a collection does: `.invalidData`, `.outOfRange`.
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
    /// Lends a value as a document of its own without shared keys, in which dictionaries inherit
    /// nothing; nil if it cannot be read.
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
