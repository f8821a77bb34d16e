// The blobs of a database, with a preview of images and text.

import {address, attempt, button, bytes, dim, empty, h, isolated, link, page, plainTable, plural, replace, request, row, save, visible} from "./app.js";

const previewLimit = 20_000_000;
const maximumRows = 2000;
const textTypes = ["text/plain", "application/json"];

export async function view(ctx) {
	const json = ctx.dbData("blobs");
	const {blobs} = await ctx.get(json);
	const preview = h("section", {"aria-live": "polite"});
	const digest = ctx.params.get("digest");
	const asked = digest && (blobs.find((blob) => blob.digest === digest) ?? {digest});
	if (asked) show(ctx, {...asked, contentType: asked.contentType ?? ctx.params.get("type") ?? undefined}, preview);
	return page("Blobs", {json, subtitle: plural(blobs.length, "blob")}, preview,
		blobs.length > maximumRows && dim(`The first ${maximumRows} of ${plural(blobs.length, "blob")}; all are in the JSON.`),
		blobs.length === 0 ? empty("No blobs. A blob is a file that a document refers to by the digest of its content.") : list(ctx, blobs, preview));
}

function list(ctx, blobs, preview) {
	return plainTable("Blobs", ["Digest", "#Size", "Type", "Documents", ""], blobs.slice(0, maximumRows).map((blob) =>
		[button(blob.digest, () => {ctx.setParams({digest: blob.digest, type: blob.contentType}); show(ctx, blob, preview);}, "link mono"), bytes(blob.bytes), blob.contentType ?? "",
			(blob.references ?? []).slice(0, 5).map((reference) => referenceLink(ctx, reference)), button("Save", () => download(ctx, blob, preview), "small")]));
}

function referenceLink(ctx, text) {
	const [coll, ...rest] = text.split("/");
	return h("div", link(ctx.doc(rest.join("/"), coll), isolated(text)));
}

async function read(ctx, blob) {
	const response = await request(address([ctx.db, "blob"], {digest: blob.digest, type: blob.contentType}), {signal: ctx.signal});
	return response.blob();
}

async function download(ctx, blob, preview) {
	await attempt(preview, async () => save(blob.digest.replaceAll("/", "_"), await read(ctx, blob)));
}

let shown;

async function show(ctx, blob, preview) {
	shown = blob;
	await attempt(preview, async () => {
		const content = blob.bytes > previewLimit ? null : await read(ctx, blob);
		// A later one may be answered first.
		if (shown === blob) replace(preview, h("div.card", h("h2.mono.break", blob.digest), h("p.dim", [bytes(blob.bytes ?? content?.size), blob.contentType].filter(Boolean).join(", ")),
			content ? await previewOf(ctx, blob, content) : dim("Too large for a preview."), row(button("Save", () => download(ctx, blob, preview)))));
	});
}

async function previewOf(ctx, blob, content) {
	const type = (content.type || blob.contentType || "").split(";")[0];
	if (type.startsWith("image/") && !type.includes("svg")) {
		const source = URL.createObjectURL(content);
		ctx.signal.addEventListener("abort", () => URL.revokeObjectURL(source));
		return h("img", {src: source, alt: `Blob ${blob.digest}`, class: "preview"});
	}
	if (textTypes.includes(type) || (blob.contentType ?? "").startsWith("text/"))
		return h("pre.code.tall", {tabindex: 0}, visible((await content.slice(0, 100_000).text())));
	return dim("No preview for this type.");
}
