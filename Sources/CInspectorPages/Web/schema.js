// The inferred schema of a collection.

import {brief, count, empty, h, isolated, page, parse, percent, plainTable, write} from "./app.js";

const maximumRows = 500;

export async function view(ctx) {
	const limit = ctx.params.get("limit") ?? "1000";
	const json = ctx.data("schema", {limit});
	const schema = await ctx.get(json);
	const rows = [];
	collect(rows, schema, 0, schema["x-count"] ?? schema.sampled);
	return page(`Schema of ${ctx.coll}`, {json, tabs: ctx, subtitle: `Inferred from ${count(schema.sampled)} of ${count(schema.documents)} documents`},
	rows.length === 0 ? empty("No properties. The collection has no documents, or they are empty.") : plainTable("Properties",
		["Property", "Types", "Share", "#Count", "Examples"], rows.slice(0, maximumRows).map(cells)),
	schema.cutOff && h("p.dim", "The documents have too many different properties: some are left out."),
	rows.length > maximumRows && h("p.dim", `${count(rows.length - maximumRows)} further properties are not shown. They are in the JSON.`));
}

function collect(rows, schema, depth, total) {
	for (const [name, item] of Object.entries(schema.properties ?? {})) {
		rows.push({name, item, depth, total});
		collect(rows, item, depth + 1, item["x-count"] ?? total);
	}
	if (schema.items) {
		rows.push({name: "[]", item: schema.items, depth, total: schema.items["x-count"]});
		collect(rows, schema.items, depth + 1, schema.items["x-count"]);
	}
}

/** The types; of several, how many of the values each has. */
function typesOf(item) {
	const counts = item["x-types"];
	if (!counts) return [item.type].flat().filter(Boolean).map((type) => h("span.tag", type));
	const sum = Object.values(counts).reduce((total, number) => total + number, 0);
	return Object.entries(counts).map(([type, number]) => h("span.tag", `${type} ${percent(number / sum)}`));
}

function cells({name, item, depth, total}) {
	const share = total ? Math.min(1, (item["x-count"] ?? 0) / total) : 0;
	return [h("span.mono", {style: {"padding-left": `${depth * 18}px`}}, isolated(brief(name, 80))), typesOf(item),
		h("span.name", h("span.meter", h("i", {style: {width: `${share * 100}%`}})), percent(share)), count(item["x-count"]),
		h("span.dim", (item.examples ?? []).slice(0, 4).map((value, index) => [index > 0 && ", ", isolated(brief(parse(write(value)), 40))]))];
}
