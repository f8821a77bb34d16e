import DocumentStore

let file = try DataFile(path: "tasks.cblite2")
let tasks = DocumentCollection(.default)
let urgent = try Query("SELECT title FROM _ WHERE priority > 2")

print(try file.read { try urgent.explain(in: $0) })
