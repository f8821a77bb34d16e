internal import DocumentStore

extension ProbeImporter {
    /// Reads the results; they are written later, with their counts.
    mutating func readResults() throws {
        var numbers = try numbers(.results, .results)
        try forEachNumber(ProbeResult.self, .id) { importer, number, row in
            guard let startTime = row.instant(.startTime) else {
                return importer.leaveOut(.results, "\(number)", "start_time is not a time")
            }
            var result = OONIStore.TestResult(
                id: try .checked(numbers.number(for: number)),
                descriptor: importer.descriptor(of: number, row), startTime: startTime)
            result.isViewed = row.flag(.isViewed)
            result.isDone = row.flag(.isDone)
            result.dataUsageUpKiB = importer.amount(.dataUsageUp, of: number, row)
            result.dataUsageDownKiB = importer.amount(.dataUsageDown, of: number, row)
            result.failureMessage = row.text(.failureMessage)
            result.taskOrigin = row.word(.taskOrigin).map { .init(rawValue: $0) } ?? .ooniRun
            result.runID = row.word(.run)
            if let network = row.long(.network) {
                result.networkID = importer.networks[network]
                if result.networkID == nil {
                    importer.note(.results, "\(number)", "there is no network \(network)")
                }
            }
            importer.noteNumber(number, result.id)
            importer.resultIndices[number] = importer.results.count
            importer.results.append(result)
        }
        try store.identifiers.use(numbers.highest, .results, in: transaction)
    }

    /// An amount of data, limited so that sums do not overflow; NULL is 0.
    private mutating func amount(
        _ column: ProbeResult, of number: Int64, _ row: ProbeRow<ProbeResult>
    ) -> Int64 {
        let amount = row.long(column) ?? 0
        if (0..<1 << 40).contains(amount) { return amount }
        note(
            .results, "\(number)",
            "\(ProbeResult.names[column.rawValue][0]) cannot be \(amount); it counts as 0")
        return 0
    }

    /// What was run: a default card has a name, an installed link has a number and a revision.
    private mutating func descriptor(
        of number: Int64, _ row: ProbeRow<ProbeResult>
    ) -> OONIStore.DescriptorReference {
        let name = row.word(.descriptorName)
        guard let runID = row.word(.runID) else { return .init(name: name) }
        let revision = row.long(.revision).map { Int(clamping: $0) } ?? revisions[runID] ?? 0
        let key = OONIStore.TestDescriptor.Key(runID, revision: revision)
        let probe = OONIStore.TestDescriptor(runID: runID, revision: revision, name: "")
        guard (try? probe.requireKey()) != nil else {
            note(
                .results, "\(number)",
                "its descriptor cannot be \"\(runID)\" with revision \(revision)")
            return .init(name: name)
        }
        guard let name else { return .init(name: probe.defaultCard?.rawValue, key: key) }
        // Old databases give installed links a name, too, which is never used to find them.
        return .init(name: OONIStore.DefaultCard(rawValue: name) == nil ? nil : name, key: key)
    }
}
