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

if var milk = try file.read({ try tasks.get("milk", in: $0) }) {
    milk.isDone = true
    try file.write { _ = try tasks.save(&milk, in: $0) }
}

try file.read { snapshot in
    try tasks.forEach(in: snapshot) { id, result in
        let task = try result.get()
        print(id, task.title, task.isDone)
    }
}
