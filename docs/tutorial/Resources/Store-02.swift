import DocumentStore

struct Task: Codable, Sendable {
    var title: String
    var priority: Int
    var isDone = false
}

let file = try DataFile(path: "tasks.cblite2", options: DataFileOptions(access: .create))
let tasks = DocumentCollection(.default).of(Task.self)
