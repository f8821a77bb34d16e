// The databases of the server, and what one contains.

async function info(ctx) {
	const json = ctx.dbData("info");
	const info = await ctx.get(json);
	return page(ctx.db, {json, subtitle: info.database}, numbers(ctx, info), propertyList(info), collectionTable(ctx, info));
}

function numbers(ctx, info) {
	const documents = info.collections.reduce((sum, coll) => sum + coll.documents, 0);
	const tiles = [["Documents", count(documents)], ["Collections", count(info.collections.length)], ["Indexes", count(info.indexes.length), "indexes"],
		["File", bytes(info.bytes), "stat"], ["WAL", bytes(info.walBytes), "stat"], ["Blobs", info.blobs ? `${count(info.blobs)} (${bytes(info.blobBytes)})` : "0", "blobs"]];
	return h("dl.tiles", tiles.map(([label, value, view]) => h("div", h("dt", label), h("dd", view ? link(ctx.dbTo(view), value) : value))));
}

function propertyList(info) {
	const versioning = {0: "revision trees (version 2)", 1: "revision trees", 2: "version vectors"}[info.versioning];
	const rows = [["Encrypted", info.encrypted ? "yes" : "no"], ["Schema version", String(info.schemaVersion)],
		["Versioning", versioning ?? String(info.versioning)], ["Public UUID", info.publicUUID], ["Private UUID", info.privateUUID],
		["Shared keys", count(info.sharedKeys)]];
	return section("Properties", facts(rows));
}

function collectionTable(ctx, info) {
	return section("Collections", plainTable("Collections",
		["Collection", "#Documents", "#Deleted", "#Last sequence"],
		info.collections.map((coll) => [link(viewPath(ctx.db, coll.collection, "documents"), coll.collection), count(coll.documents),
			count(coll.deleted), count(coll.lastSequence)])));
}

async function home(ctx) {
	const list = await allDatabases();
	if (list.length === 0)
		return page("Databases", {json: "/databases.json"}, h("div.empty",
			"No databases. Start the server with the path of a database: kvtool serve people.cblite2"));
	return page("Databases", {json: "/databases.json"}, h("div.cards", list.map((database) =>
		database.locked ? lockedCard(ctx, database) : card(database))));
}

function card(database) {
	return h("section.card", h("h2", link(viewPath(database.name, null, "info"), database.name)),
		h("p.mono.small.dim.break", database.path));
}

function lockedCard(ctx, database) {
	const input = h("input", {type: "password", autocomplete: "off", required: true});
	const note = h("p.notice.error", {role: "alert", hidden: true});
	async function unlock(event) {
		event.preventDefault();
		try {
			await request(address([database.name, "unlock.json"]), {method: "POST", body: JSON.stringify({key: input.value})});
			ctx.refresh();
		} catch (error) {
			note.hidden = false;
			note.textContent = error.message;
			input.select();
		}
	}
	return h("section.card", h("h2", database.name, " ", h("span.tag", "locked")),
		h("p.mono.small.dim.break", database.path),
		h("form", {on: {submit: unlock}}, field("Key", input, "A passphrase, or x'…' with 64 or 96 hexadecimal digits."), note,
			h("button.primary", "Unlock")));
}
