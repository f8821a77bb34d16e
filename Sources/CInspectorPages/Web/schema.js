// The inferred schema of a collection.

import {empty, h, isolated} from "./dom.js";
import {count, percent} from "./format.js";
import {brief, parse, write} from "./json.js";
import {page} from "./shell.js";
import {plainTable} from "./table.js";

const maximumRows = 500;

export async function view(ctx) {
	const limit = ctx.params.get("limit") ?? "1000";
	const json = ctx.data("schema", {limit});
	const schema = await ctx.get(json);
	const rows = [];
	collect(rows, schema, 0, schema["x-count"] ?? schema.sampled);
	return page(`Schema of ${ctx.coll}`, {json, tabs: [ctx, "schema"], subtitle: `Inferred from ${count(schema.sampled)} of ${count(schema.documents)} documents`},
	rows.length === 0 ? empty("No properties. The collection has no documents, or they are empty.") : plainTable("Properties",
		["Property", "Types", "Share", "#Count", "Examples"], rows.slice(0, maximumRows).map(cells)),
	rows.length > maximumRows && h("p.dim", `${count(rows.length - maximumRows)} further properties are not shown. They are in the JSON.`));
}

function collect(rows, schema, depth, total) {
	for (const branch of [schema, ...(schema.anyOf ?? [])]) {
		for (const [name, item] of Object.entries(branch.properties ?? {})) {
			rows.push({name, item, depth, total});
			collect(rows, item, depth + 1, item["x-count"] ?? total);
		}
		if (branch.items && typeof branch.items === "object") {
			rows.push({name: "[]", item: branch.items, depth, total: branch.items["x-count"]});
			collect(rows, branch.items, depth + 1, branch.items["x-count"]);
		}
	}
}

function typesOf(item) {
	if (!item.anyOf) return [item.type].flat().filter(Boolean).map((type) => h("span.tag", type));
	return item.anyOf.map((part) => h("span.tag", [part.type].flat().join(", "), part["x-count"] ? ` ${percent(part["x-count"] / item["x-count"])}` : ""));
}

function cells({name, item, depth, total}) {
	const share = total ? Math.min(1, (item["x-count"] ?? 0) / total) : 0;
	const examples = [...(item.examples ?? []), ...(item.anyOf ?? []).flatMap((part) => part.examples ?? [])];
	return [h("span.mono", {style: {"padding-left": `${depth * 18}px`}}, isolated(brief(name, 80))), typesOf(item),
		h("span.name", h("span.meter", h("i", {style: {width: `${share * 100}%`}})), percent(share)), count(item["x-count"]),
		h("span.dim", examples.slice(0, 4).map((value, index) => [index > 0 && ", ", isolated(brief(parse(write(value)), 40))]))];
}
