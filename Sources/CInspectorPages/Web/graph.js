// The picture of the revisions of a document: a tree, or the versions of several peers over time.

import {bytes, s, shortRevision, time, versionTime} from "./app.js";

// Two columns fit on a phone.
const box = {width: 152, height: 46, columnGap: 20, rowGap: 30};

export function revisionGraph(history, select) {
	const isVector = history.kind === "vector";
	box.height = isVector ? 62 : 46;
	const layout = isVector ? vectorLayout(history) : treeLayout(history);
	const width = layout.columns * (box.width + box.columnGap) + box.columnGap;
	const top = layout.titles ? 40 : 20;
	const height = top + layout.rows * (box.height + box.rowGap) - box.rowGap + 16;
	const x = (node) => box.columnGap + node.column * (box.width + box.columnGap);
	const y = (node) => top + node.row * (box.height + box.rowGap);
	const picture = s("svg", {viewBox: `0 0 ${width} ${height}`, width, height, class: "graph", role: "group", "aria-label": label(history)});
	(layout.titles ?? []).forEach((title, index) =>
		picture.append(s("text", {x: box.columnGap + index * (box.width + box.columnGap), y: 18, class: "lane"}, title)));
	for (const [from, to, isDotted] of layout.edges) picture.append(edge(x(from), y(from), x(to), y(to), isDotted));
	for (const node of layout.nodes) picture.append(drawNode(node, x(node), y(node), select, picture));
	return picture;
}

function label(history) {
	return history.kind === "vector" ? "Versions by peer, oldest at the top" : "Revision tree, oldest at the top";
}

function edge(x1, y1, x2, y2, isDotted) {
	const [startX, startY, endX, endY] = [x1 + box.width / 2, y1 + box.height, x2 + box.width / 2, y2];
	const middle = (startY + endY) / 2;
	return s("path", {d: `M${startX} ${startY}C${startX} ${middle} ${endX} ${middle} ${endX} ${endY}`, class: isDotted ? "edge dotted" : "edge"});
}

function drawNode(node, x, y, select, picture) {
	const {item} = node;
	const flags = item.flags ?? [];
	const kinds = ["node", item.current && "current", flags.includes("deleted") && "deleted",
		(flags.includes("unresolved") || flags.includes("conflict")) && "conflict",
		(item.bytes === undefined) && "missing"].filter(Boolean);
	const details = describe(item);
	const size = item.bytes === undefined ? "body not stored" : bytes(item.bytes);
	const last = details ? `${details}, ${size}` : size;
	// The peer is the title of the column.
	const lines = [shortRevision(item.revision).split("@")[0], time(versionTime(item.revision)).slice(0, 19), last.length > 22 ? last.slice(0, 21) + "…" : last].filter(Boolean);
	const name = `Revision ${item.revision}${details ? ", " + details : ""}`;
	const activate = () => {
		for (const other of picture.querySelectorAll(".selected")) other.classList.remove("selected");
		group.classList.add("selected");
		select(item);
	};
	const group = s("g", {class: kinds.join(" "), transform: `translate(${x} ${y})`, tabindex: 0, role: "button", "aria-label": name,
		on: {click: activate, keydown: (event) => {if (event.key === "Enter" || event.key === " ") {event.preventDefault(); activate();}}}},
	s("title", {}, name), s("rect", {width: box.width, height: box.height, rx: 6}),
	lines.map((line, index) => s("text", {x: 10, y: 19 + index * 17, class: index ? "note" : "mono"}, line)));
	(item.remotes ?? []).forEach((remote, index) => group.append(
		s("rect", {x: box.width - 24 - index * 26, y: -9, width: 22, height: 18, rx: 9, class: "remote"}),
		s("text", {x: box.width - 13 - index * 26, y: 4, class: "remote-text", "text-anchor": "middle"}, `R${remote}`)));
	return group;
}

function describe(item) {
	const flags = item.flags ?? [];
	return [item.current && "current", flags.includes("deleted") && "deleted", flags.includes("unresolved") && "conflict",
		flags.includes("closed") && "closed branch", flags.includes("rejected") && "rejected"].filter(Boolean).join(", ");
}

/** Rows are generations; each leaf has a column of its own, that of the current revision is the first. */
function treeLayout(history) {
	const nodes = new Map(history.revisions.map((item) => [item.revision, {item, children: []}]));
	const roots = [];
	for (const node of nodes.values()) {
		const parent = nodes.get(node.item.parent);
		if (parent) parent.children.push(node); else roots.push(node);
	}
	const hasCurrent = (node) => node.item.current || node.children.some(hasCurrent);
	let columns = 0;
	const edges = [];
	const place = (node) => {
		node.row = generation(node.item.revision);
		node.children.sort((a, b) => Number(hasCurrent(b)) - Number(hasCurrent(a)));
		node.column = node.children.length ? null : columns++;
		for (const child of node.children) {place(child); edges.push([node, child, false]);}
		node.column ??= node.children[0].column;
	};
	roots.sort((a, b) => Number(hasCurrent(b)) - Number(hasCurrent(a))).forEach(place);
	const rows = squeeze([...nodes.values()]);
	return {nodes: [...nodes.values()], edges, columns, rows};
}

function generation(revision) {return Number.parseInt(revision, 10) || 0;}

function squeeze(nodes) {
	const used = [...new Set(nodes.map((node) => node.row))].sort((a, b) => a - b);
	for (const node of nodes) node.row = used.indexOf(node.row);
	return used.length;
}

/** Columns are peers, rows are points in time. Versions that only the vector lists have no body. */
function vectorLayout(history) {
	const items = new Map(history.revisions.map((item) => [item.revision, item]));
	const known = new Set((history.vector ?? "").split(/[,;]\s*/).filter(Boolean));
	for (const version of known)
		if (!items.has(version)) items.set(version, {revision: version, flags: [], remotes: []});
	const nodes = [...items.values()].map((item) => ({item, peer: item.revision.split("@")[1] ?? ""}));
	nodes.sort((a, b) => (versionTime(a.item.revision) ?? 0) - (versionTime(b.item.revision) ?? 0));
	const peers = ["*", ...new Set(nodes.map((node) => node.peer).filter((peer) => peer !== "*"))]
		.filter((peer) => nodes.some((node) => node.peer === peer));
	nodes.forEach((node, index) => {node.row = index; node.column = peers.indexOf(node.peer);});
	const current = nodes.find((node) => node.item.current);
	const edges = nodes.filter((node) => current && node !== current && known.has(node.item.revision) && node.row < current.row)
		.map((node) => [node, current, true]);
	return {nodes, edges, columns: peers.length, rows: nodes.length,
		titles: peers.map((peer) => peer === "*" ? "this database" : `peer ${peer.slice(0, 12)}${peer.length > 12 ? "…" : ""}`)};
}
