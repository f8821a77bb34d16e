import DocumentStore
import Foundation

@testable import OONIStore

/// Asks a store everything, and compares the answers with those of plain arrays.
struct NaiveComparison {
    let store: OONIStore
    let model: NaiveStore
    let snapshot: Snapshot
    /// What was answered otherwise.
    var differences: [String] = []

    private mutating func same<T: Equatable>(_ what: String, _ real: T, _ right: T) {
        guard real != right else { return }
        differences.append("\(what):\n  store \(real)\n  right \(right)")
    }

    /// - Parameters:
    ///   - filters: the filters that lists are asked with.
    ///   - limit: the length of a part of a list.
    mutating func compare(_ filters: [OONIStore.ResultFilter], limit: Int) throws {
        for filter in filters { try compareLists(filter, limit) }
        try compareResults()
        try compareMeasurements()
        try compareDescriptors()
        try compareTheRest()
        same("verify", try store.verify(in: snapshot).map(\.description), [])
    }

    private mutating func compareLists(_ filter: OONIStore.ResultFilter, _ limit: Int) throws {
        let right = model.list(filter)
        var (pages, cursor): ([[OONIStore.TestResult]], OONIStore.ResultCursor?) = ([], nil)
        repeat {
            let page = try store.results.page(filter, after: cursor, limit: limit, in: snapshot)
            pages.append(page.results)
            cursor = page.next
        } while cursor != nil && pages.count < 1_000
        same("pages \(filter)", pages.flatMap { $0 }, right)
        same("length of pages", pages.dropLast().allSatisfy { $0.count == limit }, true)
        same("one page", try store.results.page(filter, in: snapshot).results, right)
        same("ids \(filter)", try store.results.ids(filter, in: snapshot), right.map(\.id))
        same(
            "totals \(filter)", try store.results.totals(filter, in: snapshot),
            model.totals(filter))
        let keys = try store.measurements.testKeys(of: filter.descriptors, in: snapshot)
        same("keys", keys, model.testKeys(of: model.list(.init(descriptors: filter.descriptors))))
    }

    private mutating func compareResults() throws {
        let (results, list) = (store.results, model.list())
        same("latest", try results.latest(in: snapshot), list.first)
        same("last run", try results.lastRun(in: snapshot), model.lastRun)
        let missing = list.filter { $0.counts.notUploaded > 0 }.count
        same("missing uploads", try results.missingUploadCount(in: snapshot), missing)
        same("too many", try results.areTooManyWaiting(in: snapshot), missing >= 50)
        let unseen = list.filter { $0.isDone && !$0.isViewed && $0.counts.done > 0 }.count
        same("not viewed", try results.notViewedCount(in: snapshot), unseen)
        for key in OONIHistory.keys {
            let done = try results.lastDone(of: key, in: snapshot)
            same("last done of \(key)", done, model.lastDone(key))
        }
        for number in 0...model.lastResult + 1 {
            let right = list.first { $0.id.number == number }
            same("result \(number)", try results.get(.init(number), in: snapshot), right)
            guard let right else { continue }
            let shown = try store.descriptors.descriptor(of: right, in: snapshot)
            same("descriptor of \(number)", shown, model.shown(right))
        }
    }

    private mutating func compareMeasurements() throws {
        let measurements = store.measurements
        same(
            "measurements", try measurements.all(in: snapshot),
            model.measurements.sorted { $0.id < $1.id })
        same("not uploaded", try measurements.notUploaded(in: snapshot), model.notUploaded)
        for result in model.results {
            let of = try measurements.all(of: result.id, in: snapshot)
            let right = model.measurements(of: result.id)
                .sorted { ($0.startTime, $0.id) < ($1.startTime, $1.id) }
            same("measurements of \(result.id)", of.map(\.measurement), right)
            same(
                "urls of \(result.id)", of.map(\.url),
                right.map { $0.url.flatMap { model.urls[$0] } })
            same(
                "not uploaded of \(result.id)",
                try measurements.notUploaded(of: result.id, in: snapshot),
                right.filter { $0.isDone && !$0.isUploaded })
            same(
                "keys of \(result.id)", try measurements.testKeys(of: result.id, in: snapshot),
                model.testKeys(of: [result]))
        }
        for measurement in model.measurements {
            let real = try measurements.get(measurement.id, in: snapshot)
            same("measurement \(measurement.id)", real, measurement)
        }
        for timestamp in HistoryTime.timestamps {
            let count = try measurements.doneCount(
                after: .init(milliseconds: timestamp), in: snapshot)
            same("done after \(timestamp)", count, model.doneCount(from: timestamp + 1))
        }
    }

    private mutating func compareDescriptors() throws {
        let descriptors = store.descriptors
        same("descriptors", try descriptors.all(in: snapshot), model.allDescriptors)
        same("latest of all", try descriptors.allLatest(in: snapshot), model.latestDescriptors)
        same(
            "sorted",
            try descriptors.sorted(at: .init(milliseconds: HistoryTime.now), in: snapshot),
            model.sortedDescriptors(at: HistoryTime.now))
        for link in OONIHistory.links {
            let right = model.revisions(link)
            same("revisions \(link)", try descriptors.revisions(link, in: snapshot), right)
            same("latest \(link)", try descriptors.latest(link, in: snapshot), right.last)
            for revision in 0..<7 {
                let real = try descriptors.get(.init(link, revision: revision), in: snapshot)
                same("\(link) \(revision)", real, right.first { $0.revision == revision })
            }
        }
    }

    private mutating func compareTheRest() throws {
        same("networks", try store.networks.all(in: snapshot), model.networks)
        same("last network", try store.networks.latest(in: snapshot), model.networks.last)
        for network in model.networks {
            same("network", try store.networks.get(network.id, in: snapshot), network)
        }
        same("urls", Set(try store.urls.all(in: snapshot)), Set(model.urls.values))
        for url in OONIHistory.urls {
            same("url \(url)", try store.urls.get(url, in: snapshot), model.urls[url])
        }
        let measured = Set(model.measurements.compactMap { $0.url.flatMap { model.urls[$0] } })
        let fallback = try store.urls.fallback(.manual, in: snapshot)
        same("fallback", Set(fallback), measured.filter { $0.countryCode == nil })
        same("fallback once", fallback.count, Set(fallback).count)
        same(
            "articles", try store.articles.all(in: snapshot),
            model.articles.values.sorted { ($0.time, $0.url) > ($1.time, $1.url) })
        try compareStatistics()
    }

    private mutating func compareStatistics() throws {
        var right = OONIStore.Statistics()
        right.today = model.doneCount(from: HistoryTime.midnight)
        right.thisWeek = model.doneCount(from: HistoryTime.monday)
        right.thisMonth = model.doneCount(from: HistoryTime.firstOfMonth)
        right.total = model.measurements.filter(\.isDone).count
        let networks = model.networks.map(\.details)
        right.networks = Set(networks.compactMap(\.asn)).count
        right.countries = Set(networks.compactMap(\.countryCode)).sorted()
            .filter { $0 != "" }
        let now = Date(timeIntervalSince1970: Double(HistoryTime.now) / 1000)
        let real = try store.statistics(at: now, zone: HistoryTime.zone, in: snapshot)
        same("statistics", real, right)
    }
}
