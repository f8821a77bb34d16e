extension DumpReader {
    /// The slots of a collection; those of a dictionary are alternately a key and its value.
    func slots(
        _ collection: RawCollection, count: Int
    ) -> [FleeceDump.Line] {
        var lines: [FleeceDump.Line] = []
        for index in 0..<count {
            var remark = slot(index, collection)
            let role: String
            if !collection.isDictionary {
                role = "[\(index)]"
            } else if index % 2 == 0 {
                role = "key"
                nameKey(&remark, collection, pair: index / 2)
            } else {
                role = "value"
                checkParent(&remark, collection, pair: index / 2)
            }
            let address = collection.start + index * collection.width
            let meaning = "\(role): \(remark.meaning)"
            lines.append(line(address, collection.width, meaning, remark.problem, isSlot: true))
        }
        let left = collection.slotCount - count
        if left > 0 {
            let address = collection.start + count * collection.width
            lines.append(line(address, 0, "\(left) more slots", "not shown twice", isSlot: true))
        }
        return lines
    }

    private func slot(
        _ index: Int, _ collection: RawCollection
    ) -> DumpText.Remark {
        let address = collection.start + index * collection.width
        let slot = RawValue(
            base: collection.base, offset: address, limit: address + collection.width)
        guard slot.byte(0) & FleeceTag.pointerBit == 0 else {
            let pointer = text.pointer(collection.base, at: address, isWide: collection.isWide)
            var remark = text.pointer(pointer)
            if let target = pointer.target, target >= collection.offset {
                remark.problem = "points into its own collection"
            }
            return remark
        }
        var remark = text.value(slot)
        if slot.end == nil { remark.problem = "larger than its slot" }
        return remark
    }

    /// Adds the name of a numeric key, and any problem of a key.
    private func nameKey(
        _ remark: inout DumpText.Remark, _ collection: RawCollection, pair: Int
    ) {
        let key = collection.key(pair)
        switch key {
        case nil where collection.slot(2 * pair) == nil: break
        case nil: remark.problem = remark.problem ?? "a key is a string or a small number"
        case .number(FleeceLimits.parentKey): remark.meaning += ", inherits from"
        case .number(let number):
            let name = text.sharedKeys.key(at: number)
            if let name { remark.meaning += ", the shared key \(DumpText.quoted(name))" }
            if name == nil, text.sharedKeys.count > 0 {
                remark.problem = remark.problem ?? "no shared key has this number"
            }
        case .string: break
        }
        guard pair > 0, let key, let before = collection.key(pair - 1),
            !Self.areInOrder(before, key)
        else { return }
        remark.problem = remark.problem ?? "out of order, or a duplicate"
    }

    /// Whether two keys are in order, judged by their first bytes: many
    /// pointers may lead to a long key.
    private static func areInOrder(_ left: RawCollection.Key, _ right: RawCollection.Key) -> Bool {
        guard case .string(let left) = left, case .string(let right) = right else {
            return compare(left, right) < 0
        }
        let order = compare(
            UnsafeRawBufferPointer(rebasing: left.prefix(FleeceLimits.comparedKeyBytes)),
            UnsafeRawBufferPointer(rebasing: right.prefix(FleeceLimits.comparedKeyBytes)))
        return order < 0 || order == 0 && right.count > FleeceLimits.comparedKeyBytes
    }

    private func checkParent(
        _ remark: inout DumpText.Remark, _ collection: RawCollection, pair: Int
    ) {
        guard case .number(FleeceLimits.parentKey) = collection.key(pair),
            let value = collection.slot(2 * pair + 1), value.dictionary == nil
        else { return }
        remark.problem = remark.problem ?? "the parent is not a dictionary"
    }
}
