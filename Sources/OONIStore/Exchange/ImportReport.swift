extension OONIStore {
    /// What an import has read from a database of OONI Probe, and what it could not use.
    ///
    /// An import does not fail because of single rows: it leaves them out and lists each with the
    /// reason.
    ///
    /// ```swift
    /// let report = try probe.importProbe(path: "database.db")
    /// for problem in report.problems { show(problem) }
    /// show(report.rows[.results] ?? 0, report.leftOut(.results))
    /// ```
    public struct ImportReport: Hashable, Sendable {
        /// The tables of the app, by the names that they have there.
        public enum Table: String, Hashable, Sendable, CaseIterable {
            /// Descriptors: `TestDescriptor`.
            case descriptors = "TestDescriptor"
            /// Networks: `Network`.
            case networks = "Network"
            /// Websites: `Url`.
            case urls = "Url"
            /// Results: `Result`.
            case results = "Result"
            /// Measurements: `Measurement`.
            case measurements = "Measurement"
            /// Articles: `Article`; older databases do not have the table.
            case articles = "Article"
        }

        /// A problem with a row, or with a value of it.
        public struct Problem: Hashable, Sendable, CustomStringConvertible {
            /// The table of the row.
            public let table: Table
            /// The row's number, or another identification, such as `10004/3` for a descriptor; `?`
            /// if it has none.
            public let row: String
            /// What is wrong, in English.
            public let reason: String
            /// Whether the row was left out; otherwise it was imported without the invalid values.
            public let isLeftOut: Bool

            /// The problem as one line: the table, the row, the reason, and whether it was left
            /// out.
            public var description: String {
                "\(table.rawValue) \(row): \(reason)" + (isLeftOut ? "; left out" : "")
            }
        }

        /// The progress of an import, reported at the start of each table, every 1,000 rows, and at
        /// its end.
        public struct Progress: Hashable, Sendable {
            /// The table being read.
            public let table: Table
            /// The number of rows read from it so far.
            public let rows: Int
            /// The total number of its rows.
            public let total: Int
        }

        /// The schema version of the database, from 5 to 21.
        public internal(set) var version = 0
        /// The number of rows of each table, including those that were left out.
        public internal(set) var rows: [Table: Int] = [:]
        /// Problems with rows, in reading order.
        public internal(set) var problems: [Problem] = []
        /// The results that were assigned another number in the store, by their number in the
        /// database.
        ///
        /// The names of the app's log files contain the old numbers: rename the files.
        public internal(set) var renumberedResults: [Int64: TestResult.ID] = [:]
        /// The measurements that were assigned another number; the names of the app's report files
        /// contain the old numbers.
        ///
        /// ```swift
        /// let report = try probe.importProbe(path: "database.db")
        /// for (old, id) in report.renumberedMeasurements { show("\(old) is \(id.number) now") }
        /// ```
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
