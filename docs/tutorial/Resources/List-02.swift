import DocumentStore

struct Task: Codable, Sendable {
    var title: String
    var priority: Int
    var isDone = false
}

let file = try DataFile(path: "tasks.cblite2", options: DataFileOptions(access: .create))
let tasks = DocumentCollection(.default).of(Task.self)

let open = try Query("SELECT title FROM _ WHERE isDone = false ORDER BY priority, title")

for try await results in file.observe(open) {
    print(results.map { $0["title"].string ?? "" })
}
