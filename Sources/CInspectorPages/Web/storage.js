// How the database uses disk space, and a complete check of it.

import {attempt, button, dim, h, replace, s, section} from "./dom.js";
import {bytes, count, percent, plural} from "./format.js";
import {page} from "./shell.js";
import {plainTable} from "./table.js";

export async function stat(ctx) {
	const json = ctx.dbData("stat");
	const stat = await ctx.get(json);
	const of = (type) => stat.trees.filter((item) => item.type === type).reduce((sum, item) => sum + item.bytes, 0);
	const whole = [["Tables", of("table"), "a"], ["Indexes", of("index"), "b"], ["Free pages", stat.freeBytes, "c"], ["WAL", stat.walBytes, "d"], ["Blobs", stat.blobBytes, "e"]];
	return page("Storage", {json, subtitle: `${bytes(stat.bytes)} in ${plural(stat.pages, "page")} of ${bytes(stat.pageBytes)}`},
		section("Database", stacked(whole)),
		section("Collections", bars(stat.stores.map((store) => [store.store, [[store.tableBytes, "a"], [store.indexBytes, "b"]], plural(store.documents, "document")])), legend([["Tables", "a"], ["Indexes", "b"]])),
		section("Tables and indexes", bars(stat.trees.slice(0, 40).map((tree) => [tree.name, [[tree.bytes - tree.unusedBytes, tree.type === "table" ? "a" : "b"], [tree.unusedBytes, "c"]], plural(tree.pages, "page")])),
			legend([["Table", "a"], ["Index", "b"], ["Unused in pages", "c"]]), stat.trees.length > 40 && dim(`${stat.trees.length - 40} smaller ones are in the JSON.`)),
		stat.collections.map((coll) => collection(ctx, coll)));
}

function collection(ctx, coll) {
	if (coll.documents + coll.deleted === 0) return null;
	return section(`Documents of ${coll.collection}`, h("div.sides",
		h("section", h("h3", "Properties by size"), bars(coll.properties.map((item) => [item.name, [[item.bytes, "a"]], percent(item.share)])))));
}

function legend(items) {return h("ul.legend", items.map(([label, kind]) => h("li", h("i", {class: `swatch fill-${kind}`}), label)));}

function stacked(parts) {
	const total = parts.reduce((sum, part) => sum + part[1], 0) || 1;
	let x = 0;
	const picture = s("svg", {viewBox: "0 0 720 28", class: "chart", role: "img", "aria-label": parts.map(([label, value]) => `${label} ${bytes(value)}`).join(", ")});
	for (const [label, value, kind] of parts) {
		const width = (value / total) * 720;
		if (width > 0) picture.append(s("rect", {x, y: 2, width: Math.max(1, width - 1), height: 24, class: `fill-${kind}`}, s("title", {}, `${label}: ${bytes(value)}`)));
		x += width;
	}
	return [picture, h("ul.legend", parts.map(([label, value, kind]) => h("li", h("i", {class: `swatch fill-${kind}`}), `${label} ${bytes(value)} `, dim(percent(value / total)))))];
}

/** Bars with their names above them, so that long names have space on a narrow screen. */
function bars(rows, width = Math.min(720, innerWidth - 40)) {
	const sum = (parts) => parts.reduce((total, part) => total + part[0], 0);
	const largest = Math.max(1, ...rows.map((row) => sum(row[1])));
	const height = 34;
	const picture = s("svg", {viewBox: `0 0 ${width} ${rows.length * height}`, class: "chart", role: "img",
		"aria-label": rows.map(([name, parts]) => `${name} ${bytes(sum(parts))}`).join(", ").slice(0, 2000)});
	rows.forEach(([name, parts, note], index) => {
		const y = index * height;
		picture.append(s("text", {x: 0, y: y + 14}, name.length > width / 14 ? name.slice(0, width / 14) + "…" : name), s("text", {x: width, y: y + 14, "text-anchor": "end", class: "note"}, `${bytes(sum(parts))}${note ? `, ${note}` : ""}`));
		let x = 0;
		for (const [value, kind] of parts) {
			picture.append(s("rect", {x, y: y + 19, width: Math.max(value > 0 ? 1 : 0, (value / largest) * width), height: 8, class: `fill-${kind}`}));
			x += (value / largest) * width;
		}
	});
	return picture;
}

export async function verify(ctx) {
	const json = ctx.dbData("verify");
	const output = h("div", {"aria-live": "polite"});
	const start = button("Verify", async () => {
		start.disabled = true;
		replace(output, h("p.dim", "Verifying. This reads the whole database."));
		await attempt(output, async () => replace(output, report(await ctx.get(json))));
		start.disabled = false;
		start.textContent = "Verify again";
	}, "primary");
	return page("Verify", {json, actions: [start]}, h("p", "Checks SQLite’s pages, the body and revisions of each document, sequences, shared keys, expirations, indexes and blobs. It changes nothing."), output);
}

function report(answer) {
	const fixable = answer.findings.filter((finding) => finding.fixable).length;
	return [h("div", {class: `notice ${answer.intact ? "good" : "error"}`}, answer.intact ? "The database is intact. " : `${plural(answer.errors, "error")}. `,
		answer.notes > 0 && `${plural(answer.notes, "note")}. `, fixable > 0 && `kvtool verify --fix can fix ${fixable} of them.`),
	answer.findings.length > 0 && plainTable("Findings", ["Severity", "Collection", "Document", "Finding", "Fixable"], answer.findings.map((finding) =>
		[h("span", {class: finding.severity === "error" ? "tag danger" : "tag"}, finding.severity), finding.collection ?? finding.store ?? "", finding.id ?? finding.index ?? "", finding.message, finding.fixable ? "yes" : ""])),
	answer.unlisted > 0 && dim(`${count(answer.unlisted)} further findings are not listed.`),
	h("p.dim", `Checked: ${plural(answer.stores.reduce((sum, store) => sum + store.rows, 0), "row")}, ${plural(answer.indexes, "index", "indexes")}, ${plural(answer.blobs, "blob")}`)];
}
