import DocumentStore
import Foundation
import OONIStore

/// Stores a run of the default card of websites, and lists what the store has.
///
///   swift run probe-run FOLDER.cblite2
@main
enum ProbeRun {
    static func main() throws {
        guard let path = CommandLine.arguments.dropFirst().first else {
            FileHandle.standardError.write(Data("usage: probe-run FOLDER.cblite2\n".utf8))
            exit(2)
        }
        let store = try OONIStore(path: path)
        try run(["https://ooni.org/", "https://example.org/"], store)
        try list(store)
    }

    /// What an app does while a test runs: a transaction for each event.
    private static func run(_ urls: [String], _ store: OONIStore) throws {
        let result = try store.write { transaction in
            let card = OONIStore.TestDescriptor(
                runID: OONIStore.DefaultCard.websites.runID, revision: 1, name: "Websites",
                nettests: [.init(.webConnectivity, inputs: urls)])
            try store.descriptors.insert([card], in: transaction)
            let network = try store.networks.register(
                .init(name: "Vodafone", asn: "AS3209", countryCode: "DE", type: .wifi),
                in: transaction)
            return try store.results.insert(
                .init(card), at: .init(Date()), runID: UUID().uuidString, networkID: network.id,
                in: transaction)
        }
        for url in urls {
            let measurement = try store.write {
                try store.measurements.insert(
                    .webConnectivity, of: result.id, url: url, at: .init(Date()), in: $0)
            }
            try store.write {
                try store.measurements.update(measurement.id, in: $0) {
                    $0.isDone = true
                    $0.runtimeSeconds = 1.5
                }
            }
            try store.write {
                try store.measurements.noteUpload(
                    .uploaded(uid: nil, verification: .verified), of: measurement.id, in: $0)
            }
        }
        try store.write { try store.results.markAsDone(result.id, in: $0) }
    }

    private static func list(_ store: OONIStore) throws {
        try store.read { snapshot in
            for result in try store.results.page(in: snapshot).results {
                let name =
                    switch try store.descriptors.descriptor(of: result, in: snapshot) {
                    case .known(let descriptor): descriptor.name
                    case .placeholder(let reference): reference.filterKey ?? "unknown"
                    }
                let counts = result.counts
                print(
                    "result \(result.id): \(name), \(counts.ok) of \(counts.done) without findings")
                for shown in try store.measurements.all(of: result.id, in: snapshot) {
                    let state = shown.measurement.isUploaded ? "uploaded" : "waiting"
                    print("  \(shown.url?.url ?? "-"): \(state)")
                }
            }
        }
    }
}
