import DocumentStore

struct Task: Codable, Sendable {
    var title: String
    var priority: Int
    var isDone = false
}

let file = try DataFile(path: "tasks.cblite2", options: DataFileOptions(access: .create))
let tasks = DocumentCollection(.default).of(Task.self)

try file.write { transaction in
    _ = try tasks.save(Task(title: "Buy milk", priority: 1), id: "milk", in: transaction)
    _ = try tasks.save(Task(title: "Call Ada", priority: 2), id: "ada", in: transaction)
}
