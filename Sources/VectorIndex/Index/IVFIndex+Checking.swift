internal import CVector
internal import SQLCore
internal import StoreFormat

// Finding damage.
extension IVFIndex {
    /// What is wrong in the tables, as clauses for messages; empty if they agree with each other.
    ///
    /// Reads all of them.
    package func damage() throws -> [String] {
        do {
            return try cellDamage() + lengthDamage()
        } catch let error as StoreError where error.has(.corruptData) {
            return [error.message]
        }
    }

    /// Whether the index has this vector for a document, apart from rounding.
    package func matches(_ docid: Int64, _ numbers: UnsafeRawBufferPointer?) throws -> Bool {
        let expected = numbers.flatMap { placed($0) }
        let found = try statements.withVector(docid) { try stored.decoded($0) }
        guard let expected, let found else { return expected == nil && found == nil }
        let kernels = space.kernels.pointee
        let square = kernels.squared_distance(expected, found, space.count)
        let length = kernels.product(expected, expected, space.count)
        return square <= 1e-3 * length
    }

    /// Each vector must have one entry in each of its cells, and each entry a vector.
    private func cellDamage() throws -> [String] {
        guard let cells = try cells() else {
            let rows = try context.first("SELECT count(*) FROM \(tables.postings)") {
                $0.long(at: 0)
            }
            return rows == 0 ? [] : ["it has entries without cells"]
        }
        var found: [String] = []
        var entries = 0
        for (index, cell) in cells.cells.enumerated() {
            let documents = try postings.documents(of: cell)
            entries += documents.count
            if Set(documents).count < documents.count {
                found.append("cell \(cell) has several entries of a document")
            }
            var others = 0
            try postings.forEachEntry(of: cell) { docid, entry in
                let stored = try statements.stored(docid)
                if stored?.pair.cell != cell, stored?.pair.spill != cell {
                    found.append("cell \(cell) has an entry of document \(docid)")
                } else if let stored, try !fits(entry, stored.bytes, cells, index) {
                    others += 1
                }
            }
            if others > 0 {
                found.append("\(others) of \(documents.count) entries of cell \(cell) are wrong")
            }
        }
        let expected = try context.first(
            "SELECT total((cell > 0) + (spill > 0 AND spill != cell)) FROM \(tables.vectors)"
        ) { Int($0.real(at: 0)) }
        if entries != expected { found.append("it has \(entries) entries, not \(expected ?? 0)") }
        return found
    }

    /// Whether an entry is that of a vector. The copy of the vector differs from it by rounding.
    private func fits(
        _ entry: UnsafeRawBufferPointer, _ bytes: [UInt8], _ cells: CellSet, _ index: Int
    ) throws -> Bool {
        let vector = try bytes.withUnsafeBytes { try stored.decoded($0) }
        let difference = cells.difference(vector, index)
        let square = space.kernels.pointee.product(difference, difference, space.count)
        let rounding = bytes.withUnsafeBytes { stored.rounding($0) }
        // Of a vector at the centroid only the errors of single precision remain.
        let noise = 1e-5 * space.kernels.pointee.product(vector, vector, space.count)
        let error =
            1e-3 * square + 4 * square.squareRoot() * rounding + rounding * rounding + noise
        let head = entry.loadUnaligned(as: cvector_entry.self)
        guard abs(head.squared_norm - square) <= error else { return false }
        guard square > noise else { return true }
        let expected = postings.entry(head.docid, difference)
        let size = MemoryLayout<cvector_entry>.size
        let bits = zip(entry.dropFirst(size), expected.dropFirst(size)).reduce(0) {
            $0 + ($1.0 ^ $1.1).nonzeroBitCount
        }
        // Half of the bits of another vector would differ.
        let share = min(1, rounding / square.squareRoot())
        return Float(bits) <= Float(space.count) * (0.25 + share) && head.scale.isFinite
    }

    private func lengthDamage() throws -> [String] {
        let count = try context.first(
            "SELECT count(*) FROM \(tables.vectors) WHERE typeof(vector) != 'blob' "
                + "OR length(vector) != \(stored.size)"
        ) { $0.long(at: 0) }
        return count == 0 ? [] : ["\(count ?? 0) stored vectors have another length"]
    }
}
