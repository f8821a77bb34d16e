// One document: tree, text, metadata, and changing it.

import {allDatabases, button, confirm, copy, empty, facts, field, forget, h, isolated, link, page, rawText, replace, row, segments, send, session, setUnsaved, shellQuote, sqlCollection, sqlString, time, toast, tree, versionTime, write} from "./app.js";
import {editor} from "./editor.js";

function dataAddress(ctx, id, extra = {}) {return ctx.data("document", {id, ...extra});}

async function read(ctx, id) {
	const answer = await ctx.get(dataAddress(ctx, id));
	return answer.documents[0] ?? null;
}

export async function view(ctx) {
	if (ctx.params.get("new") === "1") return newPage(ctx, ctx.id);
	const {id} = ctx;
	let found = null;
	try {
		found = await read(ctx, id);
	} catch (error) {
		if (error.status !== 404) throw error;
	}
	if (!found) return missingPage(ctx, id);
	const {indexes} = await ctx.get(ctx.dbData("indexes"));
	return documentPage(ctx, found, indexes.some((index) => index.kind === "vector" && index.collection === ctx.coll));
}

function missingPage(ctx, id) {
	return page(isolated(id), {subtitle: "Document not found", tabs: ctx}, empty(
		"The collection has no document with this ID. It may be deleted; its revisions may still be stored. "),
	row(session.writable && link(ctx.to("document", {id, new: true}), "Create it", "button primary"),
		link(ctx.to("revisions", {id}), "Revisions", "button")));
}

function documentPage(ctx, found, isNear) {
	const content = h("div");
	const details = h("div", metadata(found));
	const isDeleted = found.flags.includes("deleted");
	const body = found.body ?? new Map();
	const blobLink = (blob) => ctx.dbTo("blobs", {digest: blob.get("digest"), type: blob.get("content_type")});
	const show = {
		tree: () => tree(body, {blobLink}),
		raw: () => rawText(body),
		edit: () => editPage(ctx, found, body, details),
	};
	const modes = h("div");
	const canChange = session.writable && !isDeleted;
	// A second editor would lose the text of the first.
	const changes = [canChange && button("Edit", () => open("edit"), "primary"), canChange && button("Delete", () => remove(ctx, found, false), "danger"),
		session.writable && button("Purge", () => remove(ctx, found, true), "danger")].filter(Boolean);
	function open(mode) {
		ctx.setParams({mode: mode === "tree" ? null : mode});
		for (const action of changes) action.hidden = mode === "edit";
		replace(modes, mode !== "edit" && segments([["tree", "Tree"], ["raw", "Raw"]], mode, open));
		replace(content, show[mode]());
	}
	const asked = ctx.params.get("mode");
	open(asked === "raw" || (asked === "edit" && canChange) ? asked : "tree");
	return page(isolated(found.id), {json: dataAddress(ctx, found.id), tabs: ctx, actions: [
		isNear && link(ctx.to("similar", {id: found.id}), "Similar", "button"),
		link(ctx.to("revisions", {id: found.id}), "Revisions", "button"),
		copyMenu(ctx, found, body), changes,
	]}, notices(ctx, found), details, modes, content);
}

function notices(ctx, found) {
	return [found.flags.includes("conflicted") && h("div.notice", "This document has a conflict. ",
		link(ctx.to("conflict", {id: found.id}), "Show and resolve it")),
	found.flags.includes("deleted") && h("div.notice", "This document is deleted. Its tombstone remains for replication.")];
}

function metadata(found) {
	const rows = [["Revision", found.revision], ["Sequence", String(found.sequence)], ["Flags", found.flags.join(", ") || "none"],
		["Changed", time(versionTime(found.revision))], ["Expires", time(found.expiration)]];
	return facts(rows);
}

function copyMenu(ctx, found, body) {
	const coll = ctx.coll === "_default" ? "" : ` --collection ${shellQuote(ctx.coll)}`;
	const command = async () => {
		const own = (await allDatabases()).find((database) => database.name === ctx.db);
		const id = found.id.replace(/[*?\\]/g, (character) => "\\" + character);
		copy(`kvtool cat ${shellQuote(own?.path ?? ctx.db)}${coll} -- ${shellQuote(id)}`, "Command copied");
	};
	const close = (action) => (event) => {event.target.closest("details").open = false; action();};
	return h("details.menu-box", h("summary.button", "Copy"), h("div.menu-list",
		button("JSON", close(() => copy(write(body, 2), "JSON copied")), "quiet"),
		button("kvtool command", close(command), "quiet"),
		button("SQL++", close(() => copy(`SELECT * FROM ${sqlCollection(ctx.coll)} WHERE META().id = ${sqlString(found.id)}`, "SQL++ copied")), "quiet")));
}

function editPage(ctx, found, body, details) {
	const state = {revision: found.revision};
	const text = write(body, 2);
	return editor({text, base: text, cancel: () => {ctx.setParams({mode: null}); ctx.refresh();},
		save: async (json) => {
			const headers = state.revision ? {"If-Match": `"${state.revision}"`} : {"If-None-Match": "*"};
			await send("PUT", dataAddress(ctx, found.id), json, {headers});
			finish(ctx, found.id, "Saved");
		},
		reread: async () => {
			const now = await read(ctx, found.id).catch((error) => {if (error.status === 404) return null; throw error;});
			const isGone = !now || now.flags.includes("deleted");
			state.revision = now?.revision ?? null;
			replace(details, now && metadata(now));
			return isGone ? null : write(now.body, 2);
		}});
}

function newPage(ctx, id) {
	const input = h("input", {value: id || crypto.randomUUID(), spellcheck: "false", class: "mono", required: true});
	return page("New document", {tabs: ctx}, h("div.narrow", field("ID", input)), editor({
		text: "{\n  \n}", base: "", saveLabel: "Create", cancel: () => ctx.go(ctx.to("documents")),
		save: async (json) => {
			if (!input.value) throw new Error("The document needs an ID.");
			await send("PUT", dataAddress(ctx, input.value), json, {headers: {"If-None-Match": "*"}}).catch((error) => {
				throw error.status === 412 ? new Error(`A document with the ID “${input.value}” exists. Choose another ID.`) : error;
			});
			finish(ctx, input.value, "Created");
		}}));
}

function finish(ctx, id, text) {
	toast(text);
	forget();
	if (ctx.signal.aborted) return;
	setUnsaved(false);
	ctx.setParams({mode: null});
	ctx.go(ctx.doc(id));
}

async function remove(ctx, found, isPurge) {
	const text = isPurge ? `“${found.id}” is removed permanently, without a tombstone. Replication may bring it back.`
		: `“${found.id}” is deleted. A tombstone remains for replication.`;
	if (!await confirm(isPurge ? "Purge document?" : "Delete document?", text, isPurge ? "Purge" : "Delete")) return;
	try {
		await send("DELETE", dataAddress(ctx, found.id, {purge: isPurge}), undefined, {headers: {"If-Match": `"${found.revision}"`}});
		toast(isPurge ? "Purged" : "Deleted");
		forget();
		ctx.go(ctx.to("documents"));
	} catch (error) {
		toast(error.status === 412 ? "The document was changed meanwhile. Reload it first." : error.message);
	}
}
