// Conflicts: the list, and one with its sides next to each other and ways to resolve it.

import {brief, button, cell, confirm, dim, empty, forget, h, isolated, link, page, plainTable, plural, replace, revisionLabel, section, send, session, setUnsaved, time, toast, tree, viewPath, write} from "./app.js";
import {merge} from "./diff.js";
import {editor} from "./editor.js";

export async function conflicts(ctx) {
	const json = ctx.dbData("conflicts");
	const {documents} = await ctx.get(json);
	if (documents.length === 0) return page("Conflicts", {json}, empty(
		"No conflicts. A conflict arises when replication finds that a document was changed here and at a remote."));
	return page("Conflicts", {json, subtitle: plural(documents.length, "document")}, plainTable("Conflicts",
		["Document", "Collection", "Local", "Others", "Latest"],
		documents.map((item) => [link(viewPath(ctx.db, item.collection, "conflict", {id: item.id}), isolated(item.id)), item.collection,
			revision(item, item.local), item.others.map((other) => h("div", revision(item, other))), item.latest === item.local ? "local" : "remote"])));
}

function revision(item, id) {
	const side = item.sides?.find((other) => other.revision === id);
	return [revisionLabel(id), side?.time && dim(` ${time(side.time)}`),
		side?.deleted && h("span.tag.danger", "deleted")];
}

export async function conflict(ctx) {
	const {id} = ctx, json = ctx.data("conflict", {id});
	const found = (await ctx.get(json)).documents[0];
	const links = [link(ctx.doc(id), "Document", "button"),
		link(ctx.to("revisions", {id}), "Revisions", "button")];
	const title = ["Conflict in ", isolated(id)];
	if (!found) return page(title, {json, actions: links}, empty("This document has no conflict."));
	const content = h("div");
	showSides(ctx, found, content);
	return page(title, {json, wide: true, actions: links, tabs: ctx}, content);
}

function showSides(ctx, found, content) {
	const marks = new Set((found.conflicts ?? []).map((item) => item.path));
	const sides = found.sides.map((side) => sideView(ctx, found, side, marks));
	if (found.ancestorBody) sides.splice(1, 0, section("Ancestor", h("p.mono.small.break", found.ancestor), tree(found.ancestorBody, {marks})));
	replace(content, session.writable ? actions(ctx, found, content) : h("p.notice", "Start the server with --writable to resolve this conflict."),
		contradictions(found), h("div.sides", sides));
}

function sideView(ctx, found, side, marks) {
	const isLatest = side.revision === found.latest;
	return h("section", h("h2", sideName(side.side), " ", isLatest && h("span.tag.accent", "latest")),
		h("p.mono.small.break", side.revision), h("p.dim.small", [side.time && time(side.time),
			side.remotes.length > 0 && `stored at remote ${side.remotes.join(", ")}`].filter(Boolean).join(", ")),
		session.writable && found.sides.length > 2 && take(ctx, found, "Take this revision", side.revision),
		side.deleted ? h("p.notice", "This revision deletes the document.") : tree(side.body ?? new Map(), {marks}));
}

function sideName(side) {return {local: "Local", remote: "Remote"}[side] ?? brief(side, 14);}

function contradictions(found) {
	const list = found.conflicts ?? [];
	if (list.length === 0) return h("p.notice.good", "The revisions have changed different properties. They can be merged without contradiction.");
	const names = found.sides.map((side) => side.side);
	const valueOf = (item, name) => item.values.find((value) => value.side === name)?.value;
	const columns = ["Property", ...(found.ancestorBody ? ["Ancestor"] : []), ...names.map(sideName)];
	return section("Changed in different ways", plainTable("Properties that contradict each other", columns, list.map((item) =>
		[isolated(item.path, "mono"), ...(found.ancestorBody ? [cell(item.ancestor)] : []), ...names.map((name) => cell(valueOf(item, name)))])));
}

function take(ctx, found, label, revision) {
	return button(label, async () => {
		if (await confirm(`${label}?`, "What the other revisions have changed is lost.", label)) resolve(ctx, found, {take: revision});
	});
}

function actions(ctx, found, content) {
	const isPair = found.sides.length === 2;
	return h("div.row", {role: "group", "aria-label": "Resolve"},
		take(ctx, found, "Take local", "local"),
		isPair ? take(ctx, found, "Take remote", "remote") : take(ctx, found, "Take latest", "latest"),
		button("Merge in the editor", () => openMerge(ctx, found, content), "primary"),
		button("Delete the document", async () => {
			if (await confirm("Delete document?", "The conflict is resolved by deleting the document.", "Delete")) resolve(ctx, found, {delete: true});
		}, "danger"));
}

async function resolve(ctx, found, how) {
	const revisions = found.sides.map((side) => side.revision);
	const text = how.with === undefined ? JSON.stringify({...how, revisions}) : `{"revisions":${JSON.stringify(revisions)},"with":${how.with}}`;
	try {
		await send("POST", ctx.data("resolve", {id: found.id}), text);
	} catch (error) {
		if (how.with !== undefined) throw error;
		return toast(error.message);
	}
	toast("Conflict resolved");
	forget();
	if (ctx.signal.aborted) return;
	setUnsaved(false);
	ctx.go(ctx.doc(found.id));
}

function openMerge(ctx, found, content) {
	const bodies = found.sides.map((side) => side.deleted ? new Map() : side.body ?? new Map());
	const base = found.ancestorBody ?? new Map();
	const lists = [];
	const merged = bodies.slice(1).reduce((value, body) => {
		const result = merge(base, value, body);
		lists.push(...result.contradictions);
		return result.value;
	}, bodies[0]);
	const note = h("div.notice", lists.length ? `The text has the local values of: ${lists.slice(0, 20).join(", ")}.` : "All changes are merged.");
	replace(content, h("div.sides", h("section.wide", editor({text: write(merged, 2), base: write(bodies[0], 2), note,
		saveLabel: "Resolve with this document", cancel: () => showSides(ctx, found, content), save: (json) => resolve(ctx, found, {with: json})})),
	found.sides.map((side, index) => h("section", h("h3", sideName(side.side)), tree(bodies[index])))));
}
