// Import of a file, with a dry run first, and export of a collection.

import {address, attempt, button, bytes, count, field, forget, get, h, page, plainTable, problem, replace, request, row, save, seconds, section, session, toast} from "./app.js";

export async function view(ctx) {
	return page("Import and export", {json: ctx.data("documents", {limit: 200, body: true}), tabs: ctx}, exportPart(ctx), importPart(ctx));
}

function exportPart(ctx) {
	const note = h("span.dim", {role: "status"});
	const run = async (format) => {
		note.textContent = "Exporting…";
		try {
			const response = await request(address([ctx.db, ctx.coll, "export"], {format}), {signal: ctx.signal});
			save(`${ctx.db}-${ctx.coll}.${format}`, await response.blob());
			note.textContent = "";
		} catch (error) {
			note.textContent = error.message;
		}
	};
	return section("Export", h("p", `All documents of ${ctx.coll}, with their IDs as _id.`),
		row([["ndjson", "JSON lines"], ["json", "JSON array"], ["csv", "CSV"]].map(([format, label]) => button(label, () => run(format))), note));
}

function importPart(ctx) {
	if (!session.writable) return section("Import", h("p.empty", "The server is read-only. Start it with --writable to import documents."));
	const input = h("input", {type: "file", accept: ".ndjson,.jsonl,.json,.csv"});
	const output = h("div", {"aria-live": "polite"});
	const test = button("Dry run", () => run(input.files[0], true), "primary");
	async function run(file, isDry) {
		if (!file) return replace(output, problem("Choose a file first."));
		if (file.size > 64 << 20) return replace(output, problem("The file is larger than 64 MiB: use kvtool import."));
		test.disabled = true;
		for (const other of output.querySelectorAll("button")) other.disabled = true;
		await attempt(output, async () => {
			const type = file.name.toLowerCase().endsWith(".csv") ? "text/csv" : "application/x-ndjson";
			const answer = await get(ctx.data("import", {dry: isDry}), {method: "POST", body: file, headers: {"Content-Type": type}});
			replace(output, report(answer, isDry, file), isDry && row(button("Import now", () => run(file, false), "primary")));
			if (!isDry) {forget(); toast("Import finished");}
		});
		test.disabled = false;
	}
	return section("Import", h("p", "JSON lines or CSV. The ID is the property _id; a document without it gets a new one. Existing documents are overwritten."), field("File", input), row(test), output);
}

function report(answer, isDry, file) {
	const item = answer.imports?.[0] ?? answer;
	const rows = [["New", item.new], ["Overwritten", item.overwritten], ["Skipped", item.skipped], ["Failed", item.failed]].filter(([, value]) => value !== undefined);
	return [h("h3", isDry ? `Dry run of ${file.name} (${bytes(file.size)}): nothing was changed` : `Imported ${file.name}`),
		plainTable("Import", ["Documents", "#Number"], rows.map(([label, value]) => [label, count(value)])), item.seconds !== undefined && h("p.dim", seconds(item.seconds))];
}
