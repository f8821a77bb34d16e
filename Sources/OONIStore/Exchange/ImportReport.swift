extension OONIStore {
    /// What an import has found in a database of OONI Probe, and what it could not use.
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
            /// Articles; older databases have none.
            case articles = "Article"
        }

        /// What is wrong with a row.
        public struct Problem: Hashable, Sendable, CustomStringConvertible {
            /// Where it stands.
            public let table: Table
            /// Its number there, or what else it is known by.
            public let row: String
            /// What is wrong with it.
            public let reason: String
            /// Whether the row is not in the store; else it is, without what is wrong.
            public let isLeftOut: Bool

            /// One line.
            public var description: String {
                "\(table.rawValue) \(row): \(reason)" + (isLeftOut ? "; left out" : "")
            }
        }

        /// How far an import is.
        public struct Progress: Hashable, Sendable {
            /// The table that is read.
            public let table: Table
            /// The rows of it that have been read.
            public let rows: Int
            /// The rows that it has.
            public let total: Int
        }

        /// The version of the database.
        public internal(set) var version = 0
        /// How many rows each table has.
        public internal(set) var rows: [Table: Int] = [:]
        /// What is wrong with rows, in the order of reading.
        public internal(set) var problems: [Problem] = []
        /// The results that have another number in the store, by their number in the database.
        public internal(set) var renumberedResults: [Int64: TestResult.ID] = [:]
        /// The same of measurements, whose numbers are in the names of the app's files.
        public internal(set) var renumberedMeasurements: [Int64: Measurement.ID] = [:]

        /// How many rows of a table are not in the store.
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
