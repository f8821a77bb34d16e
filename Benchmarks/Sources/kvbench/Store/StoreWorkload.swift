import DocumentStore
import Foundation

/// A workload on a file, for the engine, the baseline in C, or a peer.
struct StoreWorkload {
    var name: String
    /// The number of items handled by a pass.
    let items: Int
    /// The file that it works on.
    var template = StoreData.Template.filled
    /// Whether each pass has a new copy of it, opened and closed outside of the measured time.
    var isFresh = false
    /// Whether the file is on a disk; otherwise in memory.
    var isOnDisk = false
    /// The expected result of a pass.
    let result: (StoreData) -> Int
    /// The expected contents of the file afterwards.
    var outcome: ((StoreData) -> Outcome)?

    /// The contents of a file.
    struct Outcome: Equatable {
        /// The live records.
        var count: Int
        /// The sum of their ages.
        var ages: Int
        var lastSequence: Int
        var tombstones = 0
        var expiring = 0
    }

    /// The workload with the engine.
    func engine(
        baseline: String?, access: DataFileOptions.Access = .readWrite,
        beside: @escaping (DataFile) throws -> AnyObject? = { _ in nil },
        _ pass: @escaping (DataFile, StoreData) throws -> Int
    ) -> Workload {
        workload(baseline: baseline) { path in
            let file = try DataFile(path: path, options: StoreData.options(access))
            return Opened(beside: try beside(file)) {
                try pass(file, $0)
            } close: {
                file.close()
            }
        }
    }

    /// The baseline, in C.
    func baseline(_ pass: @escaping (BaselineFile, StoreData) throws -> Int) -> Workload {
        workload(baseline: nil) { path in
            let file = try BaselineFile(path)
            return Opened(beside: nil) {
                try pass(file, $0)
            } close: {
            }
        }
    }

    struct Opened {
        let beside: AnyObject?
        let pass: (StoreData) throws -> Int
        let close: () throws -> Void
    }

    /// The source of the files, and the function that determines their contents.
    struct Source {
        let path: (StoreData.Template) throws -> String
        let outcome: (String) throws -> Outcome

        /// Files of the store's format.
        static var store: Source { Source(path: StoreData.path, outcome: recount) }
    }

    /// The state while the passes run.
    private final class State {
        let path: String
        var opened: Opened?
        var isChecked = false

        init(_ path: String) {
            self.path = path
        }
    }

    func workload(
        baseline: String?, of source: Source = .store, open: @escaping (String) throws -> Opened
    ) -> Workload {
        Workload(name, baseline: baseline, isDurable: isOnDisk) {
            let data = try StoreData.get()
            let expected = result(data)
            let state = State(try newPath())
            let setUp = {
                try FileManager.default.copyItem(
                    atPath: source.path(template), toPath: state.path)
                state.opened = try open(state.path)
            }
            let tearDown = {
                try state.opened?.close()
                state.opened = nil
                // The contents are checked the first time; afterwards the result of a pass
                // suffices.
                if !state.isChecked { try check(state.path, data, source) }
                state.isChecked = true
            }
            if !isFresh { try setUp() }
            var prepared = Workload.Prepared(
                .items(items), setUp: isFresh ? setUp : nil, tearDown: isFresh ? tearDown : nil
            ) {
                guard let opened = state.opened else {
                    throw BenchmarkError(message: "\(name): no file")
                }
                let sum = try opened.pass(data)
                guard sum == expected else {
                    throw BenchmarkError(message: "\(name): \(sum), not \(expected)")
                }
                return sum
            }
            prepared.path = { state.path }
            if isFresh {
                prepared.removeFile = { try FileManager.default.removeItem(atPath: state.path) }
            }
            return prepared
        }
    }

    private func newPath() throws -> String {
        let directory = isOnDisk ? StoreData.diskDirectory : StoreData.directory
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        return "\(directory)/\(UUID().uuidString).cblite2"
    }

    private func check(_ path: String, _ data: StoreData, _ source: Source) throws {
        guard let outcome = outcome?(data) else { return }
        let found = try source.outcome(path)
        guard found == outcome else {
            throw BenchmarkError(message: "\(name): \(found), not \(outcome)")
        }
    }

    private static func recount(_ path: String) throws -> Outcome {
        let file = try BaselineFile(path)
        return Outcome(
            count: file.count, ages: file.walk(), lastSequence: file.lastSequence,
            tombstones: file.tombstoneCount, expiring: file.expiringCount)
    }
}
