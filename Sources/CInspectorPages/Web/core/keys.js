// Keys that work in every view, and the command palette.

const keys = [
	["Ctrl K or ⌘ K", "Go to a database, collection, view or document"],
	["/", "Focus the filter"],
	["j k or ↓ ↑", "Next or previous row"],
	["Enter", "Open the row"],
	["Ctrl Enter", "Run the query, or review changes in the editor"],
	["Esc", "Close a dialog or the menu"],
	["?", "Show these keys"],
];

function showKeys() {
	return dialog("Keyboard shortcuts", h("table.plain", h("tbody", keys.map(([key, text]) =>
		h("tr", h("th", {scope: "row"}, h("kbd", key)), h("td", text))))));
}

function isTyping(target) {
	return target.closest("input, textarea, select, [contenteditable]") !== null;
}

function installKeys() {
	document.addEventListener("keydown", (event) => {
		if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
			event.preventDefault();
			first("#top .go")?.click();
			return;
		}
		if (event.key === "Escape") document.body.classList.remove("menu-open");
		if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
		if (first("dialog[open]")) return;
		if (event.key === "?") {event.preventDefault(); showKeys();}
		if (event.key === "/") focusFilter(event);
		if (["j", "k", "ArrowDown", "ArrowUp"].includes(event.key)) focusTable(event);
	});
}

function focusFilter(event) {
	const filter = first("main [data-filter]");
	if (!filter) return;
	event.preventDefault();
	filter.focus();
	filter.select?.();
}

function focusTable(event) {
	if (event.target.closest("[data-keys], button, a, summary")) return;
	const table = first("main [data-keys]");
	if (!table) return;
	event.preventDefault();
	table.focus();
}

async function places(ctx) {
	const list = [];
	const databases = await allDatabases();
	if (ctx.db && databases.some((item) => item.name === ctx.db && !item.locked)) {
		for (const [name, label] of views) list.push([label, ctx.db, viewAddress(ctx.db, name, ctx.coll)]);
		for (const coll of await collectionsOf(ctx.db).catch(() => [])) {
			const own = coll.collection;
			list.push([own, "documents", viewPath(ctx.db, own, "documents")]);
			list.push([`${own}: query`, "collection", viewPath(ctx.db, own, "query")]);
		}
	}
	for (const database of databases)
		if (!database.locked) list.push([database.name, "database", viewPath(database.name, null, "info")]);
	list.push(["All databases", "", "/"]);
	return list;
}

async function typedPlaces(ctx, text) {
	if (!text || !ctx.db) return [];
	const colls = ctx.coll ? [ctx.coll] : (await collectionsOf(ctx.db).catch(() => [])).slice(0, 5).map((coll) => coll.collection);
	return [...colls.map((coll) => [`Open document “${text}”`, coll, viewPath(ctx.db, coll, "document", {id: text})]),
		[`Search for “${text}”`, ctx.db, ctx.dbTo("find", {text})]];
}

function matches(label, words) {
	const lower = label.toLowerCase();
	return words.every((word) => lower.includes(word));
}

async function openPalette(ctx) {
	if (first("dialog[open]")) return;
	const all = await places(ctx);
	let shown = [];
	let selected = 0;
	const list = h("ul", {id: "palette-list", role: "listbox", "aria-label": "Places"});
	const input = h("input", {type: "text", role: "combobox", "aria-label": "Go to", "aria-expanded": "true", autocomplete: "off",
		spellcheck: "false", "aria-controls": "palette-list", placeholder: "View, collection, document ID or text"});
	const box = h("dialog.palette", {"aria-label": "Go to"}, input, list);

	function draw() {
		replace(list, shown.map(([label, detail, path], index) => h("li", {role: "option", id: `place-${index}`,
			"aria-selected": String(index === selected), on: {click: () => open(path)}},
		isolated(label), h("span.tag", detail))));
		input.setAttribute("aria-activedescendant", shown.length ? `place-${selected}` : "");
		list.children[selected]?.scrollIntoView({block: "nearest"});
	}
	async function filter() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		const fitting = all.filter(([label, detail]) => matches(`${label} ${detail}`, words));
		shown = [...fitting.slice(0, 40), ...await typedPlaces(ctx, input.value.trim())];
		selected = 0;
		draw();
	}
	function open(path) {box.close(); if (path) go(path);}

	input.addEventListener("input", filter);
	input.addEventListener("keydown", (event) => {
		const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
		if (step && shown.length) {event.preventDefault(); selected = (selected + step + shown.length) % shown.length; draw();}
		if (event.key === "Enter") {event.preventDefault(); open(shown[selected]?.[2]);}
	});
	box.addEventListener("close", () => box.remove());
	box.addEventListener("click", (event) => {if (event.target === box) box.close();});
	document.body.append(box);
	box.showModal();
	filter();
}
