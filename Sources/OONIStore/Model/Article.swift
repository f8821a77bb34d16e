extension OONIStore {
    /// An article of OONI's news.
    public struct Article: Codable, Hashable, Sendable, Identifiable {
        /// The kind of article.
        public struct Source: OpenEnumeration {
            /// The string as stored.
            public let rawValue: String

            /// A value from its string, known or not.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// An article of the blog.
            public static let blog = Self(rawValue: "blog")
            /// A finding.
            public static let finding = Self(rawValue: "finding")
            /// A report.
            public static let report = Self(rawValue: "report")

            /// The values known to this version.
            public static let known: [Self] = [
                .blog, .finding, .report,
            ]
        }

        /// The address.
        public var url: String
        /// The title.
        public var title: String
        /// The kind of article.
        public var source: Source
        /// The first lines.
        public var description: String?
        /// The address of a picture.
        public var imageURL: String?
        /// When it appeared.
        public var time: Instant

        /// The address.
        public var id: String { url }

        /// Creates an article.
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
