internal import CVector
internal import SQLCore
internal import StoreFormat

/// A vector with an entry in a cell.
private struct CellMember {
    let docid: Int64
    var pair: CellPair
    let vector: [Float]
}

// Cells that have grown or shrunk. (The algorithm is LIRE: split, then move the vectors near the
// new border, so that each belongs to the nearest cell.)
extension IVFIndex {
    /// How many of the nearest cells may contain vectors that are nearer to a new centroid.
    private static let neighbours = 8

    /// The vectors with an entry in a cell.
    private func members(of cell: Int64) throws -> [CellMember] {
        try postings.documents(of: cell).map { docid in
            guard let found = try statements.stored(docid) else {
                throw StoreError.vectorIndexDamage("document \(docid) has no vector")
            }
            return CellMember(
                docid: docid, pair: found.pair,
                vector: try found.bytes.withUnsafeBytes { try stored.decoded($0) })
        }
    }

    /// Divides a cell in two.
    func split(_ cell: Int64) throws {
        guard let old = try cells(), old.index(of: cell) != nil else { return }
        let members = try members(of: cell)
        var means = KMeans(space, seed: seed ^ UInt64(bitPattern: old.generation))
        let halves = means.clusters(2, members.flatMap(\.vector))
        let other = (old.cells.last ?? 0) + 1
        guard halves.count == 2 * space.count, other < PostingLists.cellLimit else { return }
        let owners = owners(of: members, halves)
        guard let owners else { return }
        let cells = try changeCells(
            old,
            adding: [
                cell: Array(halves[..<space.count]), other: Array(halves[space.count...]),
            ])
        try postings.removeAll(of: cell)
        for (member, owner) in zip(members, owners) {
            try add(member, to: owner == 0 ? cell : other, insteadOf: cell, cells)
        }
        try attract(to: [cell, other], cells)
    }

    /// The nearer one of two centroids for each vector; nil if one of them has nearly all.
    private func owners(of members: [CellMember], _ halves: [Float]) -> [Int]? {
        let cells = CellSet(generation: 0, cells: [0, 1], centroids: halves, space)
        let owners = cells.nearest(toEach: members.flatMap(\.vector), space)
        let second = owners.count { $0 == 1 }
        return min(second, owners.count - second) * 16 > owners.count ? owners : nil
    }

    /// Adds the entry of a vector to a cell, in which it has none, instead of another one, which no
    /// longer has it.
    private func add(
        _ member: CellMember, to cell: Int64, insteadOf old: Int64, _ cells: CellSet
    ) throws {
        guard let index = cells.index(of: cell) else { return }
        var pair = member.pair
        if pair.cell == old { pair.cell = cell } else { pair.spill = cell }
        if pair != member.pair { try statements.setPair(pair, of: member.docid) }
        _ = try postings.append(
            postings.entry(member.docid, cells.difference(member.vector, index)), to: cell)
    }

    /// Removes a cell; its vectors go to the nearest other ones.
    func dissolve(_ cell: Int64) throws {
        guard let old = try cells(), old.index(of: cell) != nil, old.cells.count > 2 else { return }
        let members = try members(of: cell)
        let cells = try changeCells(old, removing: [cell], adding: [:])
        try postings.removeAll(of: cell)
        for member in members {
            // The other entry is removed, too: the second cell depends on the first.
            let other = member.pair.cell == cell ? member.pair.spill : member.pair.cell
            if other > 0 { _ = try postings.remove(member.docid, from: other) }
            let indices = cells.indices(of: member.vector, space)
            try statements.setPair(cells.pair(indices), of: member.docid)
            try addEntries(member.docid, member.vector, indices, cells)
        }
    }

    /// Moves the vectors of neighbouring cells that are nearer to new centroids.
    private func attract(to new: [Int64], _ cells: CellSet) throws {
        let indices = new.compactMap { cells.index(of: $0) }
        var near: Set<Int> = []
        for index in indices {
            near.formUnion(
                cells.nearest(
                    Self.neighbours, to: Array(cells.centroid(index)), isProduct: false, space))
        }
        for index in near.subtracting(indices).sorted() {
            try attract(from: index, to: indices, cells)
        }
    }

    private func attract(from index: Int, to new: [Int], _ cells: CellSet) throws {
        let cell = cells.cells[index]
        for member in try members(of: cell) where member.pair.cell == cell {
            let squares = ([index] + new).map { squaredDistance(member.vector, cells, $0) }
            guard let best = squares.indexOfLeast, best > 0 else { continue }
            let target = cells.cells[new[best - 1]]
            if member.pair.spill == target {
                let pair = CellPair(cell: target, spill: cell)
                try statements.setPair(pair, of: member.docid)
            } else {
                _ = try postings.remove(member.docid, from: cell)
                try add(member, to: target, insteadOf: cell, cells)
            }
        }
    }

    private func squaredDistance(_ vector: [Float], _ cells: CellSet, _ index: Int) -> Float {
        cells.centroids.withUnsafeBufferPointer { centroids in
            space.kernels.pointee.squared_distance(
                vector, centroids.baseAddress.map { $0 + index * space.count }, space.count)
        }
    }
}
