extension FleeceDictionary {
    /// Hands this dictionary and all those below it to `body`, the outer ones first.
    ///
    /// Each comes once, however often it is referred to: a small document can use its parts again
    /// and again.
    package func forEachDictionary(_ body: (FleeceDictionary) throws -> Void) rethrows {
        defer { extendLifetime(document) }
        var waiting: [RawCollection] = [raw]
        var seen: Set<Int> = [raw.offset]
        while let next = waiting.popLast() {
            if next.isDictionary { try body(FleeceDictionary(document: document, raw: next)) }
            for index in (0..<next.slotCount).reversed() {
                guard let (collection, _) = next.slot(index)?.slots,
                    seen.insert(collection.offset).inserted
                else { continue }
                waiting.append(collection)
            }
        }
    }
}
