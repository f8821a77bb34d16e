import DocumentStore

let file = try DataFile(path: "tasks.cblite2")
let tasks = DocumentCollection(.default)

let milk = try file.read { try tasks.get("milk", in: $0) }
guard var here = milk?.mutableCopy(), var there = milk?.mutableCopy() else {
    fatalError("run the program of the first page first")
}
here["priority"] = 3
there["title"] = "Buy two litres of milk"
