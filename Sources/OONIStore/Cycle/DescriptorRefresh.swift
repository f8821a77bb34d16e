internal import DocumentStore

extension OONIStore {
    /// The outcome of a search for newer revisions of descriptors: see
    /// ``OONIStore/refreshDescriptors(_:retry:fetch:)``.
    ///
    /// Each fetched link is in one of the lists, unless it was not newer. To install an offered
    /// revision after the user has consented, call ``Descriptors/install(_:at:in:)``; otherwise
    /// ``Descriptors/setRejectedRevision(_:_:in:)``.
    public struct DescriptorRefresh: Sendable {
        /// Saved without asking the user: minor updates, and newer revisions of links that update
        /// automatically.
        public internal(set) var saved: [TestDescriptor.Key] = []
        /// Newer revisions that need the user's consent; they are not saved.
        public internal(set) var offered: [TestDescriptor] = []
        /// Newer revisions that the user has already rejected.
        public internal(set) var rejected: [TestDescriptor.Key] = []
        /// The links that could not be fetched, and why: the error of the last attempt.
        public internal(set) var failures: [String: any Error] = [:]
    }

    /// Fetches the newest revisions of the installed links, four at a time, and saves those that do
    /// not need the user's consent.
    ///
    /// ```swift
    /// let refresh = try await probe.refreshDescriptors { runID in try await fetchLink(runID) }
    /// for descriptor in refresh.offered { show("Update of \(descriptor.name) available") }
    /// for (runID, error) in refresh.failures { show(runID, error) }
    /// ```
    ///
    /// Links are fetched outside of transactions and saved in one. A link that is deleted in the
    /// meantime is not saved. Default cards are not fetched: they come with the app.
    ///
    /// - Parameters:
    ///   - links: the links to refresh; nil for all installed links (default).
    ///   - retry: called with the errors when none of the links could be fetched, for example
    ///     without a network, at most three times. It may wait as long as it needs; it returns
    ///     whether to try again. By default it does not.
    ///   - fetch: fetches the current descriptor from OONI's server; it is called for several links
    ///     at the same time. A descriptor of another link counts as an error.
    /// - Returns: what was saved and what was not.
    /// - Throws: `CancellationError`, errors of `retry`, and errors of the store. Errors of `fetch`
    ///   are part of the result.
    public func refreshDescriptors(
        _ links: Set<String>? = nil,
        retry: @Sendable (_ failures: [String: any Error]) async throws -> Bool = { _ in false },
        fetch: @escaping @Sendable (_ runID: String) async throws -> TestDescriptor
    ) async throws -> DescriptorRefresh {
        let installed = try await read { try descriptors.allLatest(in: $0) }
            .filter { $0.defaultCard == nil }.map(\.runID)
            .filter { links?.contains($0) ?? true }
        var fetched = try await Self.fetchAll(installed, fetch)
        for _ in 0..<Self.mostRetries {
            guard let failures = Self.failures(fetched), try await retry(failures) else { break }
            fetched = try await Self.fetchAll(installed, fetch)
        }
        let results = fetched
        return try await write { transaction in
            var refresh = DescriptorRefresh()
            for (runID, result) in results {
                switch result {
                case .success(let descriptor):
                    // The link may have been deleted in the meantime.
                    guard try descriptors.latest(runID, in: transaction) != nil else { continue }
                    try descriptors.apply(descriptor, &refresh, in: transaction)
                case .failure(let error): refresh.failures[runID] = error
                }
            }
            return refresh
        }
    }

    private typealias Fetched = (runID: String, result: Swift.Result<TestDescriptor, any Error>)

    /// The errors by link if all fetches failed; nil if one succeeded or there was nothing to
    /// fetch.
    private static func failures(_ fetched: [Fetched]) -> [String: any Error]? {
        var failures: [String: any Error] = [:]
        for (runID, result) in fetched {
            guard case .failure(let error) = result else { return nil }
            failures[runID] = error
        }
        return failures.isEmpty ? nil : failures
    }

    /// In the order of the links, regardless of which fetch finishes first.
    private static func fetchAll(
        _ links: [String], _ fetch: @escaping @Sendable (String) async throws -> TestDescriptor
    ) async throws -> [Fetched] {
        var fetched: [Int: Fetched] = [:]
        try await withThrowingTaskGroup(of: (Int, Fetched).self) { group in
            var rest = links.enumerated().makeIterator()
            func begin() {
                guard let (number, link) = rest.next() else { return }
                group.addTask {
                    do {
                        let descriptor = try await fetch(link)
                        guard descriptor.runID == link else { throw wrongLink(link, descriptor) }
                        try descriptor.requireKey()
                        return (number, (link, .success(descriptor)))
                    } catch let error as CancellationError {
                        throw error
                    } catch {
                        return (number, (link, .failure(error)))
                    }
                }
            }
            for _ in 0..<mostFetches { begin() }
            while let (number, result) = try await group.next() {
                fetched[number] = result
                begin()
            }
        }
        return links.indices.compactMap { fetched[$0] }
    }

    private static func wrongLink(_ link: String, _ fetched: TestDescriptor) -> OONIStoreError {
        OONIStoreError(
            .invalidDescriptor, "what was fetched of \(link) is the descriptor \(fetched.runID)")
    }

    private static let mostFetches = 4
    private static let mostRetries = 3
}
