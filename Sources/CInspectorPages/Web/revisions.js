// The stored revisions of a document: picture, list, bodies and their differences.

import {dim, empty, get, h, isolated, link, page, plural, problem, region, replace, time, tree, versionTime, write} from "./app.js";
import {differenceView} from "./diff.js";
import {revisionGraph} from "./graph.js";

export async function view(ctx) {
	const {id} = ctx, json = ctx.data("revisions", {id});
	const history = await ctx.get(json);
	const detail = h("section", {"aria-live": "polite"});
	const select = (item) => showRevision(ctx, id, history, item, detail);
	const current = history.revisions.find((item) => item.current) ?? history.revisions[0];
	const hasConflict = history.revisions.some((item) => item.flags.includes("unresolved"));
	if (current) select(current);
	return page(["Revisions of ", isolated(id)], {json, tabs: ctx,
		subtitle: `${plural(history.revisions.length, "stored revision")}, ${history.kind === "vector" ? "version vectors" : "revision tree"}`,
		actions: [link(ctx.doc(id), "Document", "button"),
			hasConflict && link(ctx.to("conflict", {id}), "Resolve conflict", "button primary")]},
	history.vector && h("p.mono.small.break", dim("Vector: "), history.vector),
	h("div.scroll.picture", region("Picture of the revisions"), revisionGraph(history, select)),
	legend(history), detail);
}

function legend(history) {
	const remotes = history.remotes.map((remote) => h("li", h("span.tag.accent", `R${remote.number}`), " ", h("span.mono.small.break", remote.address)));
	return h("ul.legend", h("li", h("i.swatch.current"), "current"), h("li", h("i.swatch.conflict"), "conflict"),
		h("li", h("i.swatch.deleted"), "deleted"), h("li", h("i.swatch.missing"), "body not stored"),
		history.kind === "vector" && h("li", "┄ contained in the current revision"), remotes);
}

async function bodyOf(ctx, id, revision) {
	const answer = await get(ctx.data("revision", {id, revision}), {signal: ctx.signal, quiet: true});
	return answer.body ?? new Map();
}

let shown;

async function showRevision(ctx, id, history, item, detail) {
	shown = item;
	const current = history.revisions.find((other) => other.current);
	const head = [h("h2.mono.break", item.revision), h("p.dim", [item.current ? "current" : null, ...item.flags,
		time(versionTime(item.revision))].filter(Boolean).join(", "))];
	if (item.bytes === undefined) return replace(detail, head, empty("The body of this revision is not stored."));
	try {
		const body = await bodyOf(ctx, id, item.revision);
		const isComparable = current && current !== item && current.bytes !== undefined;
		const other = isComparable && await bodyOf(ctx, id, current.revision);
		// A later click may be answered first.
		if (shown !== item) return;
		const difference = other && differenceView(write(body, 2), write(other, 2), "Difference to the current revision");
		replace(detail, head, difference && [h("h3", "From this revision to the current one"), difference], h("h3", "Body"), tree(body));
	} catch (error) {
		if (error.name !== "AbortError" && shown === item) replace(detail, head, problem(error.message));
	}
}
