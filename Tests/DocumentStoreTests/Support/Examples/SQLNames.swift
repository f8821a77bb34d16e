// The names that examples in the documentation of the SQLite layer use without declaring them.
import Foundation
import SQLTables

func never<Value>() -> Value { preconditionFailure("an example was run") }

var database: SQLContext { never() }
var databasePath: String { never() }
var statement: SQLStatement { never() }
var pool: SQLPool { never() }
var player: Player { never() }
var players: [Player] { never() }
func use(_ values: Any...) {}

struct Team: SQLCodable, Equatable {
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)
    static let name = SQLColumn(name: "NAME", type: .text, unique: true, nullable: false)
    static let table = SQLTable(name: "TEAM", columns: [id, name])

    var id: Int64 = 0
    var name: String

    init(name: String) { self.name = name }

    init(row: SQLRow, context: SQLContext) throws {
        id = try Self.id.longValueRequired(in: row)
        name = try Self.name.textValueRequired(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.name] = SQLValue(name)
    }
}

struct Player: SQLCodable, Equatable {
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)
    static let name = SQLColumn(name: "NAME", type: .text, nullable: false)
    static let team = SQLColumn(
        name: "TEAM", type: .long,
        references: SQLForeignKey(table: Team.table, column: Team.id, onDelete: .setNull))
    static let score = SQLColumn(name: "SCORE", type: .long, defaultValue: .long(0))
    static let joined = SQLColumn(name: "JOINED", type: .text)
    static let table = SQLTable(name: "PLAYER", columns: [id, name, team, score, joined])

    var id: Int64 = 0
    var name: String
    var team: Int64?
    var score: Int64?
    var joined: Date?

    init(name: String, team: Int64? = nil, score: Int64? = nil) {
        self.name = name
        self.team = team
        self.score = score
    }

    init(row: SQLRow, context: SQLContext) throws {
        id = try Self.id.longValueRequired(in: row)
        name = try Self.name.textValueRequired(in: row)
        team = Self.team.longValue(in: row)
        score = Self.score.longValue(in: row)
        joined = Self.joined.dateValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.name] = SQLValue(name)
        row[Self.team] = SQLValue(team)
        row[Self.score] = SQLValue(score)
        row[Self.joined] = SQLValue(joined, as: .text)
    }
}

/// A row with a key of two columns.
struct Season: SQLCodable, Equatable {
    static let player = SQLColumn(name: "PLAYER", type: .long, primaryKey: true)
    static let year = SQLColumn(name: "YEAR", type: .long, primaryKey: true)
    static let goals = SQLColumn(name: "GOALS", type: .long, nullable: false)
    static let table = SQLTable(
        name: "SEASON", columns: [player, year, goals], options: .withoutRowID)

    var player: Int64
    var year: Int64
    var goals: Int64

    init(row: SQLRow, context: SQLContext) throws {
        player = try Self.player.longValueRequired(in: row)
        year = try Self.year.longValueRequired(in: row)
        goals = try Self.goals.longValueRequired(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.player] = SQLValue(player)
        row[Self.year] = SQLValue(year)
        row[Self.goals] = SQLValue(goals)
    }
}
