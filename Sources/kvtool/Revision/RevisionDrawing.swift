/// The lines that lead from each revision to the ones that replaced it.
///
///     1-a
///     2-b
///     ├─ 3-c
///     └─ 3-d
///        4-e
enum RevisionDrawing {
    /// What stands before each revision; a parent stands before its children.
    static func prefixes(parents: [Int?]) -> [String] {
        var children = [Int?: [Int]]()
        for (index, parent) in parents.enumerated() { children[parent, default: []].append(index) }
        var prefixes: [String] = []
        // What stands before the descendants of each.
        var continuations: [String] = []
        for (index, parent) in parents.enumerated() {
            let before = parent.map { continuations[$0] } ?? ""
            let siblings = children[parent] ?? []
            guard parent != nil, siblings.count > 1 else {
                prefixes.append(before)
                continuations.append(before)
                continue
            }
            let isLast = siblings.last == index
            prefixes.append(before + (isLast ? "└─ " : "├─ "))
            continuations.append(before + (isLast ? "   " : "│  "))
        }
        return prefixes
    }
}
