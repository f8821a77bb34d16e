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
        for cell in cells.cells {
            let documents = try postings.documents(of: cell)
            entries += documents.count
            if Set(documents).count < documents.count {
                found.append("cell \(cell) has several entries of a document")
            }
            for docid in documents {
                let pair = try statements.stored(docid)?.pair
                if pair?.cell != cell, pair?.spill != cell {
                    found.append("cell \(cell) has an entry of document \(docid)")
                }
            }
        }
        let expected = try context.first(
            "SELECT total((cell > 0) + (spill > 0 AND spill != cell)) FROM \(tables.vectors)"
        ) { Int($0.real(at: 0)) }
        if entries != expected { found.append("it has \(entries) entries, not \(expected ?? 0)") }
        return found
    }

    private func lengthDamage() throws -> [String] {
        let count = try context.first(
            "SELECT count(*) FROM \(tables.vectors) WHERE typeof(vector) != 'blob' "
                + "OR length(vector) != \(stored.size)"
        ) { $0.long(at: 0) }
        return count == 0 ? [] : ["\(count ?? 0) stored vectors have another length"]
    }
}
