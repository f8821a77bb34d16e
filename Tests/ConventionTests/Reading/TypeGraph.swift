/// The directories whose types each directory uses, as far as the names of types show.
///
/// An arrow is a type that is declared in one directory and referred to in another, if the
/// manifest permits the import. A nested type counts where it is written with its outer type,
/// `Outer.Inner`. Names that are declared in several files within reach are left out.
struct TypeGraph: Sendable {
    /// The names by which a directory, `SQLCore/Context`, refers to each other one.
    private(set) var arrows: [String: [String: Set<String>]] = [:]

    private static let typeKeywords: Set<String> = [
        "actor", "class", "enum", "protocol", "struct", "typealias",
    ]

    /// - Parameter depth: the number of path components that distinguish directories, including the
    ///   target's.
    init(_ files: [SourceFile], _ manifest: PackageManifest, depth: Int = 2) {
        let sources = files.filter { $0.target != nil }
        let declared = sources.map(Declarations.init)
        var indexes: [String: [Int]] = [:]
        for (index, names) in declared.enumerated() {
            for name in names.top.union(names.members) { indexes[name, default: []].append(index) }
        }
        var reach: [String: Set<String>] = [:]
        for target in manifest.targets { reach[target.name] = manifest.reach(of: target.name) }
        for (index, file) in sources.enumerated() {
            guard let target = file.target, let reachable = reach[target] else { continue }
            for name in Self.names(in: file).subtracting(declared[index].nested) {
                let here = indexes[name, default: []].filter {
                    sources[$0].target.map(reachable.contains) ?? false
                }
                guard here.count == 1, let other = here.first, other != index else { continue }
                let (from, to) = (file.directory(depth), sources[other].directory(depth))
                if from != to { arrows[from, default: [:]][to, default: []].insert(name) }
            }
        }
    }

    /// The types that a file declares.
    private struct Declarations {
        /// The names of top-level types.
        var top: Set<String> = []
        /// The names of nested types, without those of their outer types.
        var nested: Set<String> = []
        /// The types that a top-level type or extension declares, as `Outer.Inner`.
        var members: Set<String> = []

        init(_ file: SourceFile) {
            var depth = 0
            var outer = ""
            for (index, token) in file.tokens.enumerated() {
                if token.isSign("{") { depth += 1 }
                if token.isSign("}") { depth -= 1 }
                guard token.kind == .word, let chain = TypeGraph.chain(in: file, at: index + 1),
                    let name = chain.last
                else { continue }
                if token.text == "extension", depth == 0 {
                    outer = name
                } else if typeKeywords.contains(token.text) {
                    if depth == 0 {
                        top.insert(name)
                        outer = name
                    } else {
                        nested.insert(name)
                        if depth == 1 { members.insert("\(outer).\(name)") }
                    }
                }
            }
        }
    }

    private static func isTypeName(_ token: Token) -> Bool {
        token.kind == .word && token.text.first?.isUppercase == true
    }

    /// `A`, `A.B` and `A.B.C` for the type name `A.B.C` at a token; nil if the token starts none.
    private static func chain(in file: SourceFile, at index: Int) -> [String]? {
        guard let first = file.token(at: index), isTypeName(first) else { return nil }
        var (chain, position) = ([first.text], index + 1)
        while let dot = file.token(at: position), dot.isSign("."), dot.isGlued,
            let name = file.token(at: position + 1), name.isGlued, isTypeName(name)
        {
            chain.append("\(chain[chain.count - 1]).\(name.text)")
            position += 2
        }
        return chain
    }

    /// The types that a file refers to; one after a dot counts only with its outer type.
    private static func names(in file: SourceFile) -> Set<String> {
        var names: Set<String> = []
        for index in file.tokens.indices {
            let isMember = file.token(at: index - 1)?.isSign(".") ?? false
            if !isMember, let chain = chain(in: file, at: index) { names.formUnion(chain) }
        }
        return names
    }
}

extension TypeGraph {
    /// Directories that use each other, sorted; one array for each group.
    var cycles: [[String]] {
        var groups: [[String]] = []
        var grouped: Set<String> = []
        for start in arrows.keys.sorted() where !grouped.contains(start) {
            let group = reachable(from: start).filter { reachable(from: $0).contains(start) }
            guard group.contains(start) else { continue }
            grouped.formUnion(group)
            groups.append(group.sorted())
        }
        return groups
    }

    /// The arrows within a cycle, one line each, with the types.
    func arrows(in cycle: [String]) -> [String] {
        cycle.flatMap { from in
            cycle.compactMap { to in
                arrows[from]?[to].map { "\(from) -> \(to): \($0.sorted().joined(separator: ", "))" }
            }
        }
    }

    private func reachable(from directory: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = Array(arrows[directory, default: [:]].keys)
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += arrows[next, default: [:]].keys }
        }
        return found
    }
}

extension SourceFile {
    /// The directory below `Sources`: `SQLCore/Context`.
    ///
    /// - Parameter depth: the maximum number of path components, including the target's.
    func directory(_ depth: Int = .max) -> String {
        path.split(separator: "/").dropFirst().dropLast().prefix(depth).joined(separator: "/")
    }
}

extension PackageManifest {
    /// The targets whose types a target can use: itself, and its dependencies.
    func reach(of name: String) -> Set<String> {
        var found: Set<String> = [name]
        var waiting = [name]
        while let next = waiting.popLast() {
            for below in target(next)?.dependencies ?? [] where found.insert(below).inserted {
                waiting.append(below)
            }
        }
        return found
    }
}
