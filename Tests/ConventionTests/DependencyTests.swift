import Testing

/// Package.swift declares what the files of a target import.
///
/// The rule on layers covers the imports of `Sources`; this suite covers the other direction, and
/// the imports of `Tests`.
@Suite("Declared dependencies")
struct DependencyTests {
    private struct Target {
        var manifest: PackageManifest.Target
        var imports: Set<String>
    }

    /// Modules that files of a target import without a declaration: only SQLCore declares CSQLite.
    private static let undeclared: [String: Set<String>] = ["SQLTablesTests": ["CSQLite"]]

    /// The targets below `Sources` and `Tests` that have Swift files.
    private static func targets() throws -> [Target] {
        let files = try PackageFiles.all.get()
        return PackageFiles.manifest.targets.compactMap { target in
            let own = files.filter { $0.path.hasPrefix(target.path + "/") }
            let imports = Set(own.flatMap { $0.imports().map(\.module) })
            return own.isEmpty ? nil : Target(manifest: target, imports: imports)
        }
    }

    @Test("are imported, or are programs")
    func needed() throws {
        let programs = Set(PackageFiles.manifest.targets.filter(\.isExecutable).map(\.name))
        let targets = try Self.targets()
        #expect(targets.count > 30)
        for target in targets {
            let needless = target.manifest.dependencies.subtracting(target.imports)
                .subtracting(programs).sorted()
            #expect(needless == [], "\(target.manifest.name) declares unused dependencies")
        }
    }

    @Test("include all modules of the package that a target imports")
    func complete() throws {
        let modules = Set(PackageFiles.manifest.targets.map(\.name))
        for target in try Self.targets() {
            let name = target.manifest.name
            let missing = target.imports.intersection(modules)
                .subtracting(target.manifest.dependencies)
                .subtracting(Self.undeclared[name, default: []]).sorted()
            #expect(missing == [], "\(name) imports undeclared modules")
        }
    }
}
