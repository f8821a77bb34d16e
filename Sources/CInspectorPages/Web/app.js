// The start of the page: routes addresses to views, and shows them in the main element.

import {address, APIError, get, hasToken, setToken, takeToken, viewPath} from "./api.js";
import {announce, button, field, h, problem, replace, row} from "./dom.js";
import {installKeys} from "./keys.js";
import {forget, showShell} from "./shell.js";

const databaseViews = {info: "overview", stat: "storage", verify: "storage", find: "search", blobs: "blobs",
	conflicts: "conflicts", indexes: "indexes", index: "indexes", watch: "changes"};
const collectionViews = {documents: "documents", document: "document", revisions: "revisions", conflict: "conflicts",
	schema: "schema", query: "query", import: "import"};

const main = document.getElementById("main");
let leave = new AbortController();
let shownPath = "";

function route() {
	const parts = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
	if (parts.length === 0) return {module: "overview", name: "home", db: null, coll: null};
	if (parts.length === 1) parts.push("info");
	const name = parts[parts.length - 1];
	const views = parts.length === 2 ? databaseViews : parts.length === 3 ? collectionViews : {};
	return Object.hasOwn(views, name) ? {module: views[name], name, db: parts[0], coll: parts[2] ? parts[1] : null} : null;
}

export function go(path, isReplacing = false) {
	if (unsaved && !window.confirm("Discard the changes you have not saved?")) return;
	unsaved = false;
	history[isReplacing ? "replaceState" : "pushState"](null, "", path);
	show();
}

let unsaved = false;

export function setUnsaved(value) {unsaved = value;}

addEventListener("beforeunload", (event) => {if (unsaved) event.preventDefault();});

function context(target, signal) {
	return {
		...target,
		params: new URLSearchParams(location.search),
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
		},
	};
}

/** Shows the view of the current address. The view before it stays until the new one is ready. */
async function show() {
	leave.abort();
	leave = new AbortController();
	const {signal} = leave;
	const target = route();
	const isSameView = shownPath === location.pathname;
	document.body.classList.remove("menu-open");
	try {
		if (!hasToken()) throw new APIError(401, "");
		if (!target) throw new APIError(404, `There is no view at ${location.pathname}.`);
		const ctx = context(target, signal);
		const view = async () => {
			const module = await import(`./${target.module}.js`);
			return (module[target.name] ?? module.view)(ctx);
		};
		const [page] = await Promise.all([view(), showShell(ctx)]);
		if (signal.aborted) return;
		replace(main, page);
	} catch (error) {
		if (signal.aborted || error.name === "AbortError") return;
		replace(main, error.status === 401 ? tokenPage() : errorPage(error));
	}
	finish(isSameView);
}

function finish(isSameView) {
	shownPath = location.pathname;
	const title = main.querySelector("h1")?.textContent ?? "Inspector";
	document.title = `${title} · Inspector`;
	announce(title);
	if (!isSameView) main.scrollTop = 0;
	const target = main.querySelector("[data-focus]") ?? (isSameView ? null : main);
	target?.focus({preventScroll: true});
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
addEventListener("popstate", () => {unsaved = false; show();});
addEventListener("hashchange", () => {if (location.hash.startsWith("#token=")) {takeToken(); show();}});
installKeys(go);
show();
