// The start of the page: routes addresses to views, and shows them in the main element.

const databaseViews = {info: "", stat: "storage", verify: "storage", find: "search", blobs: "blobs",
	conflicts: "conflicts", indexes: "indexes", index: "indexes", watch: "changes"};
const collectionViews = {documents: "", document: "document", revisions: "revisions", conflict: "conflicts", similar: "search",
	schema: "schema", query: "query", import: "import"};

/** The others are read when they are shown. */
const ownViews = {documents, info, home};

const main = document.getElementById("main");
let leave = new AbortController();
/** The address of the view, and what it shows. */
let shown = "";
let shownSubject = "";

function route() {
	const parts = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
	if (parts.length === 0) return {name: "home", db: null, coll: null};
	if (parts.length === 1) parts.push("info");
	const name = parts[parts.length - 1];
	const views = parts.length === 2 ? databaseViews : parts.length === 3 ? collectionViews : {};
	return Object.hasOwn(views, name) ? {module: views[name], name, db: parts[0], coll: parts[2] ? parts[1] : null} : null;
}

function go(path) {
	if (!mayLeave()) return;
	history[path === shown ? "replaceState" : "pushState"](null, "", path);
	show();
}

let unsaved = false;

export function setUnsaved(value) {unsaved = value;}

function mayLeave() {
	if (unsaved && !window.confirm("Discard the changes you have not saved?")) return false;
	unsaved = false;
	return true;
}

/** Back, forward, or a link to a part of the page. */
function returnTo() {
	if (location.pathname + location.search === shown) return;
	if (mayLeave()) show();
	else history.pushState(null, "", shown);
}

addEventListener("beforeunload", (event) => {if (unsaved) event.preventDefault();});

function context(target, params, signal) {
	return {
		...target,
		params,
		id: params.get("id") ?? "",
		signal,
		path: location.pathname + location.search,
		go,
		get: (path, options) => get(path, {...options, signal}),
		data: (name, parameters) => address([target.db, target.coll, `${name}.json`], parameters),
		dbData: (name, parameters) => address([target.db, `${name}.json`], parameters),
		to: (name, parameters) => viewPath(target.db, target.coll, name, parameters),
		doc: (id, coll = target.coll) => viewPath(target.db, coll, "document", {id}),
		dbTo: (name, parameters) => viewPath(target.db, null, name, parameters),
		refresh: () => {forget(); show();},
		setParams(values) {
			const params = new URLSearchParams(location.search);
			for (const [key, value] of Object.entries(values)) {
				if (value === "" || value === null || value === false || value === undefined) params.delete(key);
				else params.set(key, value === true ? "1" : value);
			}
			const text = params.toString();
			history.replaceState(null, "", location.pathname + (text ? "?" + text : ""));
			shown = location.pathname + location.search;
		},
	};
}

/** Shows the view of the current address. The view before it stays until the new one is ready. */
async function show() {
	leave.abort();
	leave = new AbortController();
	const {signal} = leave;
	const target = route();
	const params = new URLSearchParams(location.search);
	const subject = [location.pathname, params.get("id"), params.get("name")].join();
	const isSame = shownSubject === subject;
	[shown, shownSubject] = [location.pathname + location.search, subject];
	// Other programs write meanwhile.
	if (!isSame) forget();
	document.body.classList.remove("menu-open");
	try {
		if (!hasToken()) throw new APIError(401, "");
		if (!target) throw new APIError(404, `There is no view at ${location.pathname}.`);
		const ctx = context(target, params, signal);
		showShell(ctx).catch(() => {});
		const page = await (ownViews[target.name] ?? await imported(target))(ctx);
		if (signal.aborted) return;
		present(page, isSame);
	} catch (error) {
		if (signal.aborted || error.name === "AbortError") return;
		present(error.status === 401 ? tokenPage() : errorPage(error), isSame);
	}
}

async function imported(target) {
	const module = await import(`./${target.module}.js`);
	return module[target.name] ?? module.view;
}

/** Focus and position are set before: to set them lays out the page. */
function present(page, isSame) {
	const controls = () => [...main.querySelectorAll("input, select, textarea, button")];
	const place = isSame ? controls().indexOf(document.activeElement) : -1;
	if (!isSame) {
		main.scrollTop = 0;
		main.focus({preventScroll: true});
	}
	replace(main, page);
	const title = main.querySelector("h1")?.textContent ?? "Inspector";
	document.title = `${title} · Inspector`;
	announce(title);
	(main.querySelector("[data-focus]") ?? controls()[place])?.focus({preventScroll: true});
}

function errorPage(error) {
	if (!(error instanceof APIError)) console.error(error);
	return h("div.page", h("h1", error.status === 404 ? "Not found" : "Error"),
		problem(error.message),
		row(button("Try again", show, "primary"), h("a", {href: "/"}, "All databases")));
}

function tokenPage() {
	const input = h("input", {type: "password", autocomplete: "off", "data-focus": true});
	const form = h("form.card.narrow", {on: {submit: (event) => {event.preventDefault(); setToken(input.value); show();}}},
		h("h1", "Token required"),
		h("p", "Open the address that kvtool serve printed, or paste it or its token here."),
		hasToken() && problem("The server does not accept this token."), field("Address or token", input), h("button.primary", "Continue"));
	return h("div.page", form);
}

function followLink(event) {
	const anchor = event.target.closest?.("a[href]");
	if (!anchor || event.defaultPrevented || event.button !== 0) return;
	if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
	const url = new URL(anchor.href);
	if (url.origin !== location.origin || anchor.hasAttribute("download") || anchor.target || url.hash) return;
	event.preventDefault();
	go(url.pathname + url.search);
}

takeToken();
document.addEventListener("click", followLink);
addEventListener("popstate", returnTo);
addEventListener("hashchange", () => {
	if (!location.hash.startsWith("#token=")) return;
	takeToken();
	if (mayLeave()) show();
});
installKeys();
show();
