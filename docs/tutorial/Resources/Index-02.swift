import DocumentStore

let file = try DataFile(path: "tasks.cblite2")
let tasks = DocumentCollection(.default)
let urgent = try Query("SELECT title FROM _ WHERE priority > 2")

for advice in try file.read({ try urgent.adviseIndexes(in: $0) }) {
    print(advice.index)
}
