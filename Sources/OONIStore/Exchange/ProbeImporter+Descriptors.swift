internal import DocumentStore

extension ProbeImporter {
    mutating func importDescriptors() throws {
        var descriptors: [OONIStore.TestDescriptor] = []
        var keys: Set<OONIStore.TestDescriptor.Key> = []
        try forEach(ProbeDescriptor.self) { importer, row in
            guard let descriptor = importer.descriptor(row) else { return }
            let name = "\(descriptor.runID)/\(descriptor.revision)"
            guard keys.insert(descriptor.key).inserted else {
                return importer.leaveOut(
                    .descriptors, name, "a row before it has that link and revision")
            }
            importer.noteUnreadable(name, row)
            descriptors.append(descriptor)
            // The highest revision, for results without one.
            importer.revisions[descriptor.runID] = max(
                descriptor.revision, importer.revisions[descriptor.runID] ?? 0)
        }
        try OONIStore.Descriptors(store: store).insert(descriptors, in: transaction)
    }

    private mutating func descriptor(
        _ row: ProbeRow<ProbeDescriptor>
    ) -> OONIStore.TestDescriptor? {
        let runID = row.text(.runID) ?? ""
        // Before version 10 a revision was a string, or unknown; the app counts those as 0.
        let revision = Int(clamping: row.long(.revision) ?? 0)
        let name = "\(runID)/\(revision)"
        var descriptor = OONIStore.TestDescriptor(
            runID: runID, revision: revision, name: row.text(.name) ?? "", nettests: nil)
        do {
            try descriptor.requireKey()
        } catch {
            leaveOut(.descriptors, name, "\(error)")
            return nil
        }
        if row.text(.name) == nil { note(.descriptors, name, "name is NULL") }
        readTexts(row, into: &descriptor)
        var problems: [String] = []
        let nettests = JSONField(row.text(.nettests), "nettests")
        descriptor.nettests = nettests.nettests(&problems)
        descriptor.nameByLanguage = JSONField(row.text(.nameByLanguage), "name_intl")
            .strings(&problems)
        descriptor.shortDescriptionByLanguage = JSONField(
            row.text(.shortDescriptionByLanguage), "short_description_intl"
        ).strings(&problems)
        descriptor.descriptionByLanguage = JSONField(
            row.text(.descriptionByLanguage), "description_intl"
        ).strings(&problems)
        descriptor.revisions = JSONField(row.text(.revisions), "revisions").revisions(&problems)
        for problem in problems { note(.descriptors, name, problem) }
        return descriptor
    }

    private func readTexts(
        _ row: ProbeRow<ProbeDescriptor>, into descriptor: inout OONIStore.TestDescriptor
    ) {
        descriptor.shortDescription = row.text(.shortDescription)
        descriptor.description = row.text(.description)
        descriptor.author = row.text(.author)
        descriptor.icon = row.text(.icon)
        descriptor.color = row.text(.color)
        descriptor.animation = row.text(.animation)
        descriptor.expirationDate = row.instant(.expirationDate)
        descriptor.dateCreated = row.instant(.dateCreated)
        descriptor.dateUpdated = row.instant(.dateUpdated)
        descriptor.dateInstalled = row.instant(.dateInstalled)
        descriptor.isAutoUpdated = row.flag(.autoUpdate)
        descriptor.rejectedRevision = row.long(.rejectedRevision).map { Int(clamping: $0) }
    }
}

extension ProbeImporter {
    mutating func importArticles() throws {
        let articles = OONIStore.Articles(store: store)
        try forEach(ProbeArticle.self) { importer, row in
            let url = row.text(.url) ?? ""
            guard !url.isEmpty, let title = row.text(.title), let time = row.instant(.time) else {
                let missing = url.isEmpty ? "url" : row.text(.title) == nil ? "title" : "time"
                return importer.leaveOut(.articles, url.isEmpty ? "?" : url, "\(missing) is NULL")
            }
            let article = OONIStore.Article(
                url: url, title: title, source: .init(rawValue: row.text(.source) ?? ""),
                description: row.text(.description), imageURL: row.text(.imageURL), time: time)
            let key = OONIStore.Urls.key(url)
            guard try articles.entities.get(key, in: importer.transaction) != article else {
                return
            }
            try articles.entities.put(article, key, in: importer.transaction)
        }
    }
}
