/// Which folders use types of which others, as far as the names of types tell.
///
/// An arrow is a type declared at the top level of one file and named in a file of another folder,
/// within what Package.swift lets the target import. Nested types are no arrows, and a name that
/// several files within reach declare is left out.
struct TypeGraph: Sendable {
    /// The names that lead from a folder, `SQLCore/Context`, to another one.
    private(set) var arrows: [String: [String: Set<String>]] = [:]

    private static let typeKeywords: Set<String> = [
        "actor", "class", "enum", "protocol", "struct", "typealias",
    ]

    init(_ files: [SourceFile], _ manifest: PackageManifest) {
        let sources = files.filter { $0.target != nil }
        let declared = sources.map(Self.declarations)
        var places: [String: [Int]] = [:]
        for (index, names) in declared.enumerated() {
            for name in names.top { places[name, default: []].append(index) }
        }
        var reach: [String: Set<String>] = [:]
        for target in manifest.targets { reach[target.name] = manifest.reach(of: target.name) }
        for (index, file) in sources.enumerated() {
            guard let target = file.target, let reachable = reach[target] else { continue }
            for name in Self.names(in: file).subtracting(declared[index].nested) {
                let here = places[name, default: []].filter {
                    sources[$0].target.map(reachable.contains) ?? false
                }
                guard here.count == 1, let place = here.first, place != index else { continue }
                let (from, to) = (file.folder, sources[place].folder)
                if from != to { arrows[from, default: [:]][to, default: []].insert(name) }
            }
        }
    }

    private static func declarations(_ file: SourceFile) -> (top: Set<String>, nested: Set<String>)
    {
        var (top, nested): (Set<String>, Set<String>) = ([], [])
        var depth = 0
        for (index, token) in file.tokens.enumerated() {
            if token.isSign("{") { depth += 1 }
            if token.isSign("}") { depth -= 1 }
            guard token.kind == .word, typeKeywords.contains(token.text),
                let name = file.token(at: index + 1), isTypeName(name)
            else { continue }
            if depth == 0 { top.insert(name.text) } else { nested.insert(name.text) }
        }
        return (top, nested)
    }

    private static func isTypeName(_ token: Token) -> Bool {
        token.kind == .word && token.text.first?.isUppercase == true
    }

    /// Types that are named, those behind a dot left out.
    private static func names(in file: SourceFile) -> Set<String> {
        var names: Set<String> = []
        for (index, token) in file.tokens.enumerated() where isTypeName(token) {
            let isMember = file.token(at: index - 1)?.isSign(".") ?? false
            if !isMember { names.insert(token.text) }
        }
        return names
    }
}

extension TypeGraph {
    /// Folders that use each other, sorted; one array for each group.
    var cycles: [[String]] {
        var groups: [[String]] = []
        var grouped: Set<String> = []
        for folder in arrows.keys.sorted() where !grouped.contains(folder) {
            let group = reachable(from: folder).filter { reachable(from: $0).contains(folder) }
            guard group.contains(folder) else { continue }
            grouped.formUnion(group)
            groups.append(group.sorted())
        }
        return groups
    }

    /// The arrows within a cycle, a line each, and the types that make them.
    func arrows(in cycle: [String]) -> [String] {
        cycle.flatMap { from in
            cycle.compactMap { to in
                arrows[from]?[to].map { "\(from) -> \(to): \($0.sorted().joined(separator: ", "))" }
            }
        }
    }

    private func reachable(from folder: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = Array(arrows[folder, default: [:]].keys)
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += arrows[next, default: [:]].keys }
        }
        return found
    }
}

extension SourceFile {
    /// The target and the folder in it: `SQLCore/Context`; the target alone for a file beside the
    /// folders.
    var folder: String {
        path.split(separator: "/").dropFirst().dropLast().prefix(2).joined(separator: "/")
    }
}

extension PackageManifest {
    /// The targets that a target can name types of: itself, and what it depends on.
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
