// SPDX-License-Identifier: GPL-2.0-or-later
// objects.js - draws data objects and loops

// Return a column of counts for a member of the rows of @table.
function countColumn(table, key, label) {
	return {key, label, isCount: true, cell: i =>
		table.cell(i, key) === undefined ? "" :
			countNode(table.cell(i, key))};
}

// Return a grid for a list of objects. @columns: of Grid, without the first one.
// @nameOf(i), @noteOf(i): name of row @i, and text beside it. @details: members
// that an open row shows.
function namedGrid(table, columns, sort, title, nameOf, noteOf, details) {
	return new Grid({table, sort,
		columns: [{key: "@name", label: title, text: nameOf,
			cell: nameOf, note: noteOf}, ...columns],
		rowId: i => "o" + i + hashText(nameOf(i)),
		matches: (i, words) => {
			const s = searchableText([nameOf(i), noteOf(i)]);
			return words.every(w => s.includes(w));
		},
		openRow: i => {
			const box = element("div", null);
			for (const key of details) {
				const value = table.cell(i, key);
				if (value !== undefined && value !== null)
					box.append(resultNode(key, value,
						NESTED));
			}
			return box;
		}});
}

// ---- data objects ----

// Return a list of the scalar members of a result, and its lists of texts: of the
// list "notes", each text in a line of its own.
function scalarsNode(result) {
	const box = element("div", null), list = element("dl", null);
	for (const key of Object.keys(result)) {
		const v = result[key];
		if (typeof v === "number" && v !== 0 && key !== "line")
			list.append(element("dt", null,
				key.replaceAll("_", " ")), element("dd",
				{"data-key": key}, countNode(v)));
		else if (key === "notes")
			box.append(...v.map(text =>
				element("p", {"data-key": key}, text)));
		else if (Array.isArray(v) && v.length && !isTable(v))
			box.append(resultNode(key, v, 3));
	}
	if (list.children.length)
		box.prepend(list);
	return box;
}

function drawDataObjects(data) {
	const section = sectionOf("analysis-data", TITLES.data);
	const table = tableWithMisses(new Table(data.groups));
	const misses = table.keys.filter(k => k.endsWith(" misses"));
	const text = (i, key) => String(table.cell(i, key) ?? "");
	const columns = countColumns(table, [...misses, "reads", "writes",
		"objects", "bytes", "peak_bytes"], {});
	for (const c of columns)
		c.label = c.label.replaceAll("_", " ");
	section.append(element("p", {class: "note"}, "Objects that were " +
		"allocated at one place, or one variable, are one row. Where " +
		"an allocator begins, Cachegrind may count other reads."),
	namedGrid(table, columns, misses[0] || "bytes", "Objects",
		i => text(i, "label") || text(i, "name"),
		i => text(i, "type"),
		["kind", "name", "type", "site", "read_bytes",
		 "written_bytes", "levels", "fields"]).node,
	scalarsNode(data));
}

// ---- loops ----

// @instructions: of the run, whose shares the loops have.
function drawLoops(result, instructions) {
	const section = sectionOf("analysis-loops", TITLES.loops);
	const table = new Table(result.loops);
	const text = (i, key) => String(table.cell(i, key) ?? "");
	const number = (i, key) => table.cell(i, key) || 0;
	const columns = [
		...countColumns(table, ["instructions"], {instructions}),
		countColumn(table, "entries", "entries"),
		countColumn(table, "iterations", "iterations"),
		{key: "@range", label: "in one entry", isFixed: true,
		 title: "least and greatest number of iterations in an entry",
		 cell: i => element("span", null, countNode(number(i,
			"iterations_min")), " to ", countNode(number(i,
			"iterations_max")))},
		countColumn(table, "depth", "depth")];
	if (firstValue(table, "vectorisable") !== undefined)
		columns.push({key: "vectorisable", label: "vectorisable",
			text: i => text(i, "vectorisable"),
			cell: i => text(i, "vectorisable")});
	section.append(namedGrid(table, columns, "instructions", "Loop",
		i => text(i, "function"), i => number(i, "line") ?
			text(i, "file") + ":" + text(i, "line") :
			text(i, "object"),
		["object", "strides", "dependences", "vector_limit"]).node,
	scalarsNode(result));
}
