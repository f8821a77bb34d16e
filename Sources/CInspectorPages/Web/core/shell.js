// The frame around a view: the top line, and the sidebar with databases, views and collections.

const views = [
	["info", "Overview"], ["query", "Query"], ["watch", "Changes"], ["conflicts", "Conflicts"],
	["indexes", "Indexes"], ["stat", "Storage"], ["find", "Search"], ["blobs", "Blobs"], ["verify", "Verify"],
];

let databases = null;
const collections = new Map();

export function forget() {
	databases = null;
	collections.clear();
}

export async function allDatabases() {
	if (!databases) {
		const answer = await get("/databases.json");
		session.version = answer.version;
		session.writable = answer.writable;
		databases = answer.databases;
	}
	return databases;
}

export function collectionsOf(db) {
	if (!collections.has(db)) {
		const answer = get(address([db, "collections.json"])).then((list) => list.collections);
		collections.set(db, answer);
		answer.catch(() => collections.delete(db));
	}
	return collections.get(db);
}

function viewAddress(db, name, coll) {
	return name === "query" ? viewPath(db, coll ?? "_default", "query") : viewPath(db, null, name);
}

async function showShell(ctx) {
	showTop(ctx);
	// At the same time; it fails if the database is locked.
	const colls = ctx.db && collectionsOf(ctx.db).catch(() => []);
	const list = await allDatabases();
	const open = list.find((database) => database.name === ctx.db);
	let inner = [];
	if (open && !open.locked) inner = [viewList(ctx), collectionList(ctx, await colls)];
	if (ctx.signal.aborted) return;
	replace(document.getElementById("sidebar"), databaseList(ctx, list), inner, sidebarFoot());
}

/** `current` is "page" for the view itself, true for what it belongs to. */
function item(href, current, ...content) {
	return h("li", link(href, content, {"aria-current": current && String(current)}));
}

function databaseList(ctx, list) {
	return h("section", h("h2", link("/", "Databases")), h("ul", list.map((database) =>
		item(database.locked ? "/" : viewPath(database.name, null, "info"), ctx.db === database.name,
			h("span.name", database.name),
			database.locked && h("span.tag", "locked")))));
}

function viewList(ctx) {
	return section("Views", h("ul", views.map(([name, label]) =>
		item(viewAddress(ctx.db, name, ctx.coll), isCurrentView(ctx, name) && "page", label))));
}

function isCurrentView(ctx, name) {
	const own = ctx.name ?? "info";
	return own === name || (own === "index" && name === "indexes") || (own === "conflict" && name === "conflicts");
}

function collectionList(ctx, list) {
	return section("Collections", h("ul", list.map((coll) =>
		item(viewPath(ctx.db, coll.collection, "documents"), ctx.coll === coll.collection && (["query", "conflict"].includes(ctx.name) || "page"),
			h("span.name", coll.collection), h("span.number", count(coll.documents))))));
}

function sidebarFoot() {
	return h("p.foot", session.writable ? "Writable" : "Read-only",
		session.version && ` · kvtool ${session.version}`);
}

function showTop(ctx) {
	const crumbs = [["/", "Inspector"]];
	if (ctx.db) crumbs.push([ctx.dbTo("info"), ctx.db]);
	if (ctx.coll) crumbs.push([ctx.to("documents"), ctx.coll]);
	const id = ctx.params.get("id") ?? ctx.params.get("name");
	if (id) crumbs.push([ctx.path, id]);
	replace(document.getElementById("top"),
		button("☰", toggleMenu, {class: "menu quiet", "aria-label": "Menu", "aria-controls": "sidebar", "aria-expanded": "false"}),
		h("nav.crumbs", {"aria-label": "Breadcrumb"}, h("ol", crumbs.map(([href, label]) =>
			h("li", link(href, isolated(label)))))),
		button([h("span", "Go to… "), h("kbd", "Ctrl K")], () => openPalette(ctx), {class: "quiet go", "aria-label": "Go to, Ctrl K"}),
		button("?", showKeys, {class: "quiet", "aria-label": "Keyboard shortcuts"}),
		button("◐", toggleTheme, {class: "quiet", "aria-label": "Switch between light and dark"}));
}

function toggleMenu() {
	const isOpen = document.body.classList.toggle("menu-open");
	first("#top .menu").setAttribute("aria-expanded", String(isOpen));
	if (isOpen) first("#sidebar a")?.focus();
}

function toggleTheme() {
	const root = document.documentElement;
	const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = isDark ? "light" : "dark";
	localStorage.setItem("inspector-theme", root.dataset.theme);
}

export function page(title, {subtitle, actions = [], json, tabs, wide = false} = {}, ...content) {
	const head = h("div.head", h("h1", title), subtitle && h("p.sub", subtitle),
		row(actions, json && jsonLink(json)));
	const box = h("div", {class: wide ? "page wide" : "page"}, head, tabs && collectionTabs(tabs));
	append(box, content);
	return box;
}

/** A link to the data of a view. The token is not part of an address, so a click shows it here. */
function jsonLink(path) {
	return link(path, ".json", {class: "button quiet", on: {click: (event) => {event.preventDefault(); showData(path);}}});
}

function collectionTabs(ctx) {
	const tabs = [["documents", "Documents"], ["schema", "Schema"], ["query", "Query"], ["import", "Import and export"]];
	const current = tabs.find((tab) => tab[0] === ctx.name) ?? tabs[0];
	return h("nav.tabs", {"aria-label": "Views of the collection"}, tabs.map((tab) =>
		link(ctx.to(tab[0]), tab[1], {"aria-current": tab === current ? "page" : null})));
}

async function showData(path) {
	let text;
	try {
		text = await getText(path);
	} catch (error) {
		return toast(error.message);
	}
	const answer = await dialog("JSON", [h("p.mono.small", "GET ", path),
		longText(text)], [["Copy", "copy"], ["Save", "save"], ["Close", ""]]);
	if (answer === "copy") copy(text);
	if (answer === "save") save(path.split("?")[0].split("/").pop(), text, "application/json");
}
