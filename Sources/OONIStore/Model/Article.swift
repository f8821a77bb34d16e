extension OONIStore {
    /// An article of OONI's news.
    ///
    /// Articles come from OONI's server as a whole list, and ``Articles/refresh(_:in:)`` replaces
    /// the stored list by it. Two articles are the same if their addresses are equal, byte by byte.
    ///
    /// ```swift
    /// let article = OONIStore.Article(
    ///     url: "https://ooni.org/post/2026-report/", title: "Censorship in 2026", source: .report,
    ///     time: .init(Date()))
    /// try probe.write { try probe.articles.refresh([article], in: $0) }
    /// ```
    public struct Article: Codable, Hashable, Sendable, Identifiable {
        /// The kind of article. A kind that this version does not know is retained, and
        /// ``OpenEnumeration/isKnown`` is false for it.
        public struct Source: OpenEnumeration {
            /// The string as stored, such as `blog`.
            public let rawValue: String

            /// Creates a kind of article from the string as stored.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// An article of the blog.
            public static let blog = Self(rawValue: "blog")
            /// A finding.
            public static let finding = Self(rawValue: "finding")
            /// A report.
            public static let report = Self(rawValue: "report")

            /// The values known to this version: a blog article, a finding and a report.
            public static let known: [Self] = [
                .blog, .finding, .report,
            ]
        }

        /// The address, by which the store identifies the article.
        public var url: String
        /// The title, in the language of the article.
        public var title: String
        /// The kind of article; it comes from the feed of which the article is a part.
        public var source: Source
        /// The first lines; nil for an article without a summary.
        public var description: String?
        /// The address of a picture; nil for an article without one. The store does not fetch it.
        public var imageURL: String?
        /// When it appeared; lists are sorted by it, newest first.
        public var time: Instant

        /// The address.
        public var id: String { url }

        /// Creates an article, which is not stored until it is part of ``Articles/refresh(_:in:)``.
        ///
        /// - Parameters:
        ///   - url: the address, by which the store identifies it.
        ///   - title: the title.
        ///   - source: the kind of article.
        ///   - description: the first lines; nil if there are none.
        ///   - imageURL: the address of a picture; nil if there is none.
        ///   - time: when it appeared.
        public init(
            url: String, title: String, source: Source, description: String? = nil,
            imageURL: String? = nil, time: Instant
        ) {
            self.url = url
            self.title = title
            self.source = source
            self.description = description
            self.imageURL = imageURL
            self.time = time
        }
    }
}
