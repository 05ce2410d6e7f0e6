// SPDX-License-Identifier: GPL-2.0-or-later
// data.js - reads the data of the page, and its tables

// Return the bytes of a text in base64.
function decodeBase64(text) {
	const value = new Uint8Array(128);
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
		"0123456789+/";
	for (let i = 0; i < 64; i++)
		value[alphabet.charCodeAt(i)] = i;
	const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
	const bytes = new Uint8Array(text.length / 4 * 3 - padding);
	for (let i = 0, n = 0; i < text.length; i += 4, n += 3) {
		const v = value[text.charCodeAt(i)] << 18 |
			value[text.charCodeAt(i + 1)] << 12 |
			value[text.charCodeAt(i + 2)] << 6 |
			value[text.charCodeAt(i + 3)];
		bytes[n] = v >> 16;
		bytes[n + 1] = v >> 8;
		bytes[n + 2] = v;
	}
	return bytes;
}

// Return the data of the page; throw an error if this browser has no
// DecompressionStream.
async function readData() {
	const packed = decodeBase64(document.getElementById("data").textContent);
	const stream = new Blob([packed]).stream()
		.pipeThrough(new DecompressionStream("gzip"));
	return JSON.parse(await new Response(stream).text());
}

// A list of objects: stored by columns (columns.h), shortened, or plain.
class Table {
	constructor(value) {
		this.others = value["@others"] || {};
		if (value["@columns"]) {
			this.n = value["@rows"];
			this.all = value["@all"];
			this.columns = value["@columns"];
			this.text = value["@text"];
			this.keys = Object.keys(this.columns);
		} else {
			this.list = value["@list"] || value;
			this.n = this.list.length;
			this.all = value["@all"] || this.n;
			const keys = new Set();
			for (const row of this.list)
				Object.keys(row).forEach(k => keys.add(k));
			this.keys = [...keys];
		}
	}

	// Return the member @key of row @i; undefined if the row has none.
	cell(i, key) {
		if (this.list)
			return this.list[i][key];
		const column = this.columns[key];
		if (!column)
			return undefined;
		if (column.value)
			return column.value[i] ?? undefined;
		return column.text[i] === null ? undefined :
			this.text[column.text[i]];
	}

	row(i) {
		const row = {};
		for (const key of this.keys) {
			const value = this.cell(i, key);
			if (value !== undefined)
				row[key] = value;
		}
		return row;
	}

	hasNumbers(key) {
		for (let i = 0; i < this.n; i++) {
			const value = this.cell(i, key);
			if (value !== undefined && value !== null)
				return typeof value === "number";
		}
		return false;
	}

	sum(key) {
		let sum = this.others[key] || 0;
		for (let i = 0; i < this.n; i++)
			sum += this.cell(i, key) || 0;
		return sum;
	}
}

function isTable(value) {
	return value !== null && typeof value === "object" &&
		(value["@columns"] !== undefined ||
		 value["@list"] !== undefined ||
		 (Array.isArray(value) && value.length > 0 &&
		  value.every(v => v !== null && typeof v === "object" &&
			!Array.isArray(v))));
}

// Return @value with its tables as lists of objects, as the report has them.
function plainValue(value) {
	if (value === null || typeof value !== "object")
		return value;
	if (Array.isArray(value))
		return value.map(plainValue);
	if (isTable(value)) {
		const table = new Table(value), rows = [];
		for (let i = 0; i < table.n; i++)
			rows.push(plainValue(table.row(i)));
		return rows;
	}
	const copy = {};
	for (const key of Object.keys(value))
		copy[key] = plainValue(value[key]);
	return copy;
}

// Return the hash of a text (FNV-1a, 32 bits) as eight hexadecimal digits.
function hashText(text) {
	let h = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
	return (h >>> 0).toString(16).padStart(8, "0");
}
