extension OONIStore {
    /// What an import has read from a database of OONI Probe, and what it could not use.
    public struct ImportReport: Hashable, Sendable {
        /// The tables of the app.
        public enum Table: String, Hashable, Sendable, CaseIterable {
            /// Descriptors.
            case descriptors = "TestDescriptor"
            /// Networks.
            case networks = "Network"
            /// Websites.
            case urls = "Url"
            /// Results.
            case results = "Result"
            /// Measurements.
            case measurements = "Measurement"
            /// Articles; older databases do not have the table.
            case articles = "Article"
        }

        /// A problem with a row.
        public struct Problem: Hashable, Sendable, CustomStringConvertible {
            /// The table of the row.
            public let table: Table
            /// The row's number, or another identification.
            public let row: String
            /// What is wrong.
            public let reason: String
            /// Whether the row was left out; otherwise it was imported without the invalid values.
            public let isLeftOut: Bool

            /// The problem as one line.
            public var description: String {
                "\(table.rawValue) \(row): \(reason)" + (isLeftOut ? "; left out" : "")
            }
        }

        /// The progress of an import.
        public struct Progress: Hashable, Sendable {
            /// The table being read.
            public let table: Table
            /// The number of rows read from it so far.
            public let rows: Int
            /// The total number of its rows.
            public let total: Int
        }

        /// The schema version of the database.
        public internal(set) var version = 0
        /// The number of rows of each table.
        public internal(set) var rows: [Table: Int] = [:]
        /// Problems with rows, in reading order.
        public internal(set) var problems: [Problem] = []
        /// The results that were assigned another number in the store, by their number in the
        /// database.
        public internal(set) var renumberedResults: [Int64: TestResult.ID] = [:]
        /// The measurements that were assigned another number; the names of the app's files contain
        /// these numbers.
        public internal(set) var renumberedMeasurements: [Int64: Measurement.ID] = [:]

        /// How many rows of a table were left out.
        public func leftOut(_ table: Table) -> Int {
            problems.count { $0.isLeftOut && $0.table == table }
        }
    }
}

extension OONIStore.ImportReport {
    mutating func leaveOut(_ table: Table, _ row: String, _ reason: String) {
        problems.append(Problem(table: table, row: row, reason: reason, isLeftOut: true))
    }

    mutating func note(_ table: Table, _ row: String, _ reason: String) {
        problems.append(Problem(table: table, row: row, reason: reason, isLeftOut: false))
    }
}
