internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Finds tables, triggers and indexes that belong to no registered index.
struct OrphanCheck {
    private let verifier: Verifier
    private var sink: VerificationSink { verifier.sink }
    /// The names of objects that belong to an index.
    private var claimed: Set<ExactString> = []
    /// The prefixes of such names.
    private var prefixes: [String] = []

    init(_ verifier: Verifier) {
        self.verifier = verifier
    }

    /// Claims the objects that belong to an index.
    ///
    /// - Parameter schema: its expected schema; nil if that is unknown.
    mutating func claim(_ row: IndexRow, _ schema: IndexSchema?) {
        claimed.insert(ExactString(row.name))
        let known = schema ?? (try? row.definedSchema()) ?? nil
        for table in known?.tables ?? [] {
            claimed.insert(ExactString(table.name))
            for trigger in table.triggers { claimed.insert(ExactString(trigger.name)) }
            if row.kind == .fullText { claimWords(table.name) }
        }
        guard let table = row.table else { return }
        switch row.kind {
        case .fullText: claimWords(table)
        case .array: claimLevels(of: table, known == nil)
        case .predictive: claimed.insert(ExactString(table))
        case .value: break
        case .vector where row.vectorOptions != nil: prefixes.append(table + ":")
        case .vector, nil:
            claimed.insert(ExactString(table))
            prefixes += [table + "_", table + ":"]
        }
        if known == nil { prefixes.append(table + "::") }
    }

    /// Claims a full-text table and the auxiliary tables of FTS4.
    private mutating func claimWords(_ table: String) {
        claimed.insert(ExactString(table))
        for suffix in SchemaSQL.fullTextSuffixes { claimed.insert(ExactString(table + suffix)) }
    }

    /// Claims the tables of an array and of its outer levels, also with the names of older
    /// versions.
    private mutating func claimLevels(of plainName: String, _ hasUnknownTriggers: Bool) {
        var level: String? = plainName
        while let name = level {
            let names = [ArrayTable.name(ofPlain: name), name]
            claimed.formUnion(names.map { ExactString($0) })
            let isOlder = verifier.hasTable(name)
            if hasUnknownTriggers || isOlder { prefixes += names.map { $0 + "::" } }
            level = ArrayTable.parent(ofPlain: name)
        }
    }

    private func isClaimed(_ name: String) -> Bool {
        claimed.contains(ExactString(name)) || prefixes.contains { name.utf8.starts(with: $0.utf8) }
    }

    func run() {
        // An index of a store that does not exist is a separate finding, with all its objects.
        let unregistered = verifier.objects.filter { !isClaimed($0.name) }
        let words = unregistered.filter { $0.type == "table" && !$0.hasPages }.map(\.name)
        for object in unregistered {
            switch object.type {
            case "table": check(table: object, words)
            case "trigger": check(trigger: object)
            case "index": check(index: object)
            default: break
            }
        }
        for foreign in verifier.foreign { add(foreign) }
    }

    /// - Parameter words: virtual tables, with which their auxiliary tables are dropped.
    private func check(table: SchemaObject, _ words: [String]) {
        let isPart = words.contains { word in
            SchemaSQL.fullTextSuffixes.contains { table.name.hasSameBytes(as: word + $0) }
        }
        guard isOfIndex(table), !isPart else { return }
        sink.add(
            .orphanedTable, "the table \(table.name) belongs to no index",
            store: store(ofTable: table.name), object: table.name)
    }

    private func isOfIndex(_ table: SchemaObject) -> Bool {
        if table.name.utf8.contains(UInt8(ascii: ":")) { return table.name.hasPrefix("kv_") }
        return SchemaSQL.mayBeOfIndex(table: table.name)
            && table.sql?.contains("docid INTEGER NOT NULL REFERENCES") == true
    }

    private func store(ofTable name: String) -> KeyStoreName? {
        let end = name.utf8.firstIndex(of: UInt8(ascii: ":")) ?? name.endIndex
        return StoreTable.store(ofTable: String(name[..<end]))?.store
    }

    private func check(trigger: SchemaObject) {
        let store = store(ofTable: trigger.table)
        if Self.isNamedForIndex(trigger.name) {
            sink.add(
                .orphanedTrigger, "the trigger \(trigger.name) belongs to no index", store: store,
                object: trigger.name)
        }
    }

    /// Adds an object that runs with each write, unless another finding names it.
    private func add(_ foreign: ForeignObject) {
        let isNamed = sink.report.findings.contains { finding in
            [.orphanedTrigger, .differentTrigger].contains(finding.kind)
                && finding.object?.hasSameBytes(as: foreign.name) == true
        }
        guard foreign.kind != .trigger || !isNamed else { return }
        sink.add(
            foreign.findingKind,
            foreign.message + ", so the file cannot be written until it is dropped",
            store: store(ofTable: foreign.table),
            index: foreign.kind == .index ? foreign.name : nil, object: foreign.name)
    }

    private static func isNamedForIndex(_ trigger: String) -> Bool {
        SchemaSQL.triggerSuffixes.contains { trigger.hasSuffix("::" + $0) }
    }

    private func check(index: SchemaObject) {
        guard index.sql != nil else { return }
        let store = StoreTable.store(ofTable: index.table)?.store
        guard store != nil || isClaimed(index.table), !isOwn(index) else { return }
        sink.add(
            .orphanedIndex, "the index \(index.name) of \(index.table) is not registered",
            store: store, index: index.name, object: index.name)
    }

    /// Whether it is an index that stores create for themselves.
    private func isOwn(_ index: SchemaObject) -> Bool {
        let names =
            LazyIndex.allCases.map { $0.name(table: index.table) }
            + [SchemaSQL.expirationIndex(table: index.table)]
        return names.contains { $0.hasSameBytes(as: index.name) }
    }
}

extension ForeignObject {
    fileprivate var findingKind: VerificationKind {
        switch kind {
        case .trigger: .foreignTrigger
        case .view: .foreignView
        case .table: .foreignTable
        case .index: .foreignIndex
        }
    }
}
