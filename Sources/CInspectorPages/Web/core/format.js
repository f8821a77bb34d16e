// Numbers, sizes, times and revisions as text.

const plain = new Intl.NumberFormat("en");

export function count(number) {return plain.format(number ?? 0);}

export function plural(number, word, many = word + "s") {
	return `${count(number)} ${number === 1 ? word : many}`;
}

export function bytes(number) {
	if (number === undefined || number === null) return "";
	const units = ["B", "KB", "MB", "GB", "TB"];
	let value = number;
	let unit = 0;
	while (value >= 1000 && unit < units.length - 1) {value /= 1000; unit += 1;}
	return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function seconds(value) {
	if (value === undefined) return "";
	return value < 1 ? `${(value * 1000).toFixed(value < 0.01 ? 1 : 0)} ms` : `${value.toFixed(2)} s`;
}

export function percent(share) {
	if (share > 0 && share < 0.001) return "< 0.1 %";
	if (share > 0.995 && share < 1) return "> 99 %";
	return `${(share * 100).toFixed(share < 0.1 && share > 0 ? 1 : 0)} %`;
}

export function time(milliseconds) {
	if (milliseconds === undefined || milliseconds === null) return "";
	// As they write it in Sweden: 2026-01-31 23:59:59 CET.
	return new Date(milliseconds).toLocaleString("sv", {timeZoneName: "short"});
}

export function shortRevision(revision) {
	if (!revision) return "";
	const tree = /^(\d+-[0-9a-f]{8})[0-9a-f]+$/.exec(revision);
	if (tree) return tree[1];
	const [time, peer] = revision.split("@");
	return peer && peer.length > 8 ? `${time}@${peer.slice(0, 6)}…` : revision;
}

/** The time in a version: nanoseconds since 1970, in hexadecimal. Null for a tree revision. */
export function versionTime(revision) {
	const match = /^([0-9a-f]+)@/.exec(revision);
	return match ? Number(BigInt("0x" + match[1]) / 1_000_000n) : null;
}

export function shellQuote(text) {
	return /^[A-Za-z0-9_.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function sqlString(text) {return `'${text.replaceAll("'", "''")}'`;}

export function sqlName(name) {
	return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : "`" + name.replaceAll("`", "``") + "`";
}

export function sqlCollection(name) {
	return name === "_default" ? "_" : name.split(".").map(sqlName).join(".");
}
