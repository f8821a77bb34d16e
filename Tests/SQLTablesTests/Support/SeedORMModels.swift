import SQLCore
import SQLTables

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The types of the samples in SkipSQL's description.
struct DemoTable: SQLCodable, Equatable {
    var id: Int64
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)

    var txt: String?
    static let txt = SQLColumn(
        name: "TXT", type: .text, unique: true, nullable: false, index: SQLIndex(name: "IDX_TXT"))

    var num: Double?
    static let num = SQLColumn(name: "NUM", type: .real)

    var int: Int
    static let int = SQLColumn(name: "INT", type: .long, nullable: false)

    var dbl: Double?
    static let dbl = SQLColumn(
        name: "DBL", type: .real, defaultValue: SQLValue(Double.pi),
        index: SQLIndex(name: "IDX_DBL", unique: false))

    var blb: Data?
    static let blb = SQLColumn(name: "BLB", type: .blob)

    static let table = SQLTable(name: "DEMO_TABLE", columns: [id, txt, num, int, dbl, blb])

    init(
        id: Int64 = 0, txt: String? = nil, num: Double? = nil, int: Int, dbl: Double? = nil,
        blb: Data? = nil
    ) {
        self.id = id
        self.txt = txt
        self.num = num
        self.int = int
        self.dbl = dbl
        self.blb = blb
    }

    init(row: SQLRow, context: SQLContext) throws {
        self.id = try Self.id.longValueRequired(in: row)
        self.txt = try Self.txt.textValueRequired(in: row)
        self.num = Self.num.realValue(in: row)
        self.int = try Int(Self.int.longValueRequired(in: row))
        self.dbl = Self.dbl.realValue(in: row)
        self.blb = Self.blb.blobValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(self.id)
        row[Self.txt] = SQLValue(self.txt)
        row[Self.num] = SQLValue(self.num)
        row[Self.int] = SQLValue(self.int)
        row[Self.dbl] = SQLValue(self.dbl)
        row[Self.blb] = SQLValue(self.blb)
    }
}

struct UUIDHolder: SQLCodable, Identifiable, Equatable {
    var id: UUID
    static let id = SQLColumn(name: "ID", type: .text, primaryKey: true)

    static let table = SQLTable(name: "UUID_HOLDER", columns: [id])

    init(id: UUID = UUID()) {
        self.id = id
    }

    init(row: SQLRow, context: SQLContext) throws {
        self.id = try SQLBindingError.checkNonNull(
            UUID(uuidString: Self.id.textValueRequired(in: row)), in: Self.id)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(self.id.uuidString)
    }
}

struct SQLDateAsReal: SQLCodable {
    var rowid: Int64
    static let rowid = SQLColumn(name: "ROWID", type: .long, primaryKey: true, autoincrement: true)

    var date: Date
    static let date = SQLColumn(name: "DATE", type: .real)

    static let table = SQLTable(name: "SQL_DATE_AS_REAL", columns: [rowid, date])

    init(date: Date) {
        self.rowid = 0
        self.date = date
    }

    init(row: SQLRow, context: SQLContext) throws {
        self.rowid = try Self.rowid.longValueRequired(in: row)
        self.date = try Self.date.dateValueRequired(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.rowid] = SQLValue(self.rowid)
        row[Self.date] = SQLValue(self.date.timeIntervalSince1970)
    }
}

struct SQLDateAsText: SQLCodable {
    var rowid: Int64
    static let rowid = SQLColumn(name: "ROWID", type: .long, primaryKey: true, autoincrement: true)

    var date: Date
    static let date = SQLColumn(name: "DATE", type: .text)

    static let table = SQLTable(name: "SQL_DATE_AS_TEXT", columns: [rowid, date])

    init(date: Date) {
        self.rowid = 0
        self.date = date
    }

    init(row: SQLRow, context: SQLContext) throws {
        self.rowid = try Self.rowid.longValueRequired(in: row)
        self.date = try Self.date.dateValueRequired(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.rowid] = SQLValue(self.rowid)
        row[Self.date] = SQLValue(self.date.ISO8601Format())
    }
}

struct DemoParent: SQLCodable, Equatable {
    var id: Int64 = 0
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)

    var parentInfo: String?
    static let parentInfo = SQLColumn(name: "PARENT_INFO", type: .text)

    static let table = SQLTable(name: "DEMO_PARENT", columns: [id, parentInfo])

    init(id: Int64 = 0, parentInfo: String?) {
        self.id = id
        self.parentInfo = parentInfo
    }

    init(row: SQLRow, context: SQLContext) throws {
        id = try Self.id.longValueRequired(in: row)
        parentInfo = Self.parentInfo.textValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.parentInfo] = SQLValue(parentInfo)
    }
}

struct DemoChild: SQLCodable, Equatable {
    var id: Int64
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)

    var parentID: Int64?
    static let parentID = SQLColumn(
        name: "PARENT_ID", type: .long,
        references: SQLForeignKey(
            table: DemoParent.table, column: DemoParent.id, onDelete: .cascade))

    var childInfo: String?
    static let childInfo = SQLColumn(name: "CHILD_INFO", type: .text)

    static let table = SQLTable(name: "DEMO_CHILD", columns: [id, parentID, childInfo])

    init(id: Int64 = 0, parentID: Int64?, childInfo: String?) {
        self.id = id
        self.parentID = parentID
        self.childInfo = childInfo
    }

    init(row: SQLRow, context: SQLContext) throws {
        id = try Self.id.longValueRequired(in: row)
        parentID = Self.parentID.longValue(in: row)
        childInfo = Self.childInfo.textValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.parentID] = SQLValue(parentID)
        row[Self.childInfo] = SQLValue(childInfo)
    }
}
