import DocumentStore

let file = try DataFile(path: "tasks.cblite2")
let tasks = DocumentCollection(.default)

let milk = try file.read { try tasks.get("milk", in: $0) }
guard var here = milk?.mutableCopy(), var there = milk?.mutableCopy() else {
    fatalError("run the program of the first page first")
}
here["priority"] = 3
there["title"] = "Buy two litres of milk"

let first = try file.write { try tasks.save(&here, in: $0) }
let merged = try file.write { transaction in
    try tasks.save(
        &there,
        onConflict: .merge { mine, theirs in
            var result = mine
            result["priority"] = .int(theirs?["priority"]?.int ?? 0)
            return result
        }, in: transaction)
}
print(first, merged)
