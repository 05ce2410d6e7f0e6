// SPDX-License-Identifier: GPL-2.0-or-later
// grid.js - shows a table of any length, sorted and filtered, in pages of 50 rows;
// of 10 on a narrow screen, where each row takes several lines

const ROWS = matchMedia("(max-width: 700px)").matches ? 10 : 50;
const grids = [];

// @options: table;
// columns: [{key, label, isCount, cell(i), text(i)}]; the first column names the
//	row, and can have note(i), a text beside the name;
// sort: key of the column to sort by; null: in the order of the table;
// rowId(i): the id of row i; matches(i, words): whether it has all words;
// isOwn(i), optional: whether row i is code of the user; only this code is shown at
//	first, if there is any;
// openRow(i, sort), optional: returns the node below the open row i;
// isNested, optional: the grid is in an open row of another grid; the search and the
//	address of the page do not change it.
class Grid {
	constructor(options) {
		Object.assign(this, options);
		this.page = 0;
		this.words = [];
		this.opened = null;
		this.onlyOwn = this.hasOwn();
		this.node = element("div", {class: "grid"});
		this.select();
		if (!this.isNested)
			grids.push(this);
	}

	hasOwn() {
		for (let i = 0; this.isOwn && i < this.table.n; i++)
			if (this.isOwn(i))
				return true;
		return false;
	}

	setFilter(text) {
		this.words = text.toLowerCase().split(/\s+/).filter(w => w);
		this.page = 0;
		this.select();
	}

	setSort(key) {
		if (!this.columns.some(c => c.key === key))
			return;
		this.sort = key;
		this.page = 0;
		this.select();
	}

	// Select the rows to draw, sort them, and draw.
	select() {
		const index = [], column = this.columns.find(c => c.key ===
			this.sort), key = this.sort;
		this.hidden = 0;
		for (let i = 0; i < this.table.n; i++)
			if (this.words.length && !this.matches(i, this.words))
				continue;
			else if (this.onlyOwn && !this.isOwn(i))
				this.hidden++;
			else
				index.push(i);
		if (!column) {
			this.index = index;
			this.draw();
			return;
		}
		if (column.isCount) {
			const values = Float64Array.from(
				{length: this.table.n}, (_, i) =>
				this.table.cell(i, key) || 0);
			index.sort((a, b) => values[b] - values[a] || a - b);
		} else {
			index.sort((a, b) => {
				const x = String(column.text(a));
				const y = String(column.text(b));
				return x < y ? -1 : x > y ? 1 : a - b;
			});
		}
		this.index = index;
		this.draw();
	}

	draw() {
		const pages = Math.max(1, Math.ceil(this.index.length / ROWS));
		this.page = Math.min(this.page, pages - 1);
		this.node.replaceChildren(this.controls(pages),
			element("div", {class: "wide"}, this.drawTable()));
	}

	controls(pages) {
		const bar = element("div", {class: "controls"});
		if (this.isOwn && this.hasOwn())
			bar.append(element("label", null, element("input",
				{type: "checkbox", checked: this.onlyOwn,
				 onchange: e => {
					this.onlyOwn = e.target.checked;
					this.page = 0;
					this.select();
					this.node.querySelector(
						".controls input").focus();
				 }}), " my code only"));
		const left = this.table.all - this.table.n;
		const shown = element("span", {class: "note"},
			this.index.length + " of " + this.table.all + " rows" +
			(this.hidden ? "; " + this.hidden + " of libraries and " +
				"the system are hidden" : "") +
			(left > 0 ? "; " + left + " others are added up" : ""));
		bar.append(shown);
		if (pages > 1) {
			const to = (page, label) => element("button",
				{type: "button", disabled: page < 0 ||
				 page >= pages, onclick: () => {
					this.page = page;
					this.draw();
					this.focusPageButton(label);
				}}, label);
			bar.append(to(this.page - 1, "previous"),
				element("span", null, "page " +
					(this.page + 1) + " of " + pages),
				to(this.page + 1, "next"));
		}
		return bar;
	}

	// Return the text beside the name of row @i; null: there is none.
	noteOf(column, i) {
		const note = column.note ? column.note(i) : "";
		return note ? element("small", null, " " + note) : null;
	}

	// Focus the button with text @label; if it is disabled, the other one.
	focusPageButton(label) {
		const enabled = [...this.node.querySelectorAll(
			".controls button:enabled")];
		(enabled.find(b => b.textContent === label) || enabled[0]).focus();
	}

	drawTable() {
		const head = element("tr", {role: "row"});
		for (const c of this.columns)
			head.append(this.heading(c));
		const body = element("tbody", {role: "rowgroup"});
		const first = this.page * ROWS;
		for (const i of this.index.slice(first, first + ROWS)) {
			body.append(this.drawRow(i));
			if (this.opened === this.rowId(i))
				body.append(this.detail(i));
		}
		return element("table", {class: "stack", role: "table",
			"aria-rowcount": this.index.length + 1},
			element("thead", {role: "rowgroup"}, head), body,
			this.othersRow());
	}

	heading(c) {
		if (c.isFixed)
			return element("th", {scope: "col", class: "n",
				role: "columnheader", title: c.title}, c.label);
		const sorted = c.key === this.sort;
		const order = c.isCount ? "descending" : "ascending";
		const button = element("button", {type: "button", title: c.title,
			onclick: () => {
				this.setSort(c.key);
				if (!this.isNested)
					changeState({sort: c.key});
				this.node.querySelector("th[aria-sort] button")
					.focus();
			}}, c.label + (sorted ? " \u25bc" : ""));
		return element("th", {scope: "col", role: "columnheader",
			class: c.isCount ? "n" : null,
			"aria-sort": sorted ? order : null}, button);
	}

	drawRow(i) {
		const id = this.rowId(i);
		const tr = element("tr", {role: "row", "data-row": id});
		this.columns.forEach((c, k) => {
			const content = c.cell(i, this.sort);
			if (k > 0)
				tr.append(element("td", {role: "cell",
					class: !c.isCount ? null :
						this.table.cell(i, c.key) ===
						0 ? "n zero" : "n",
					"data-key": c.key,
					"data-label": c.label}, content));
			else
				tr.append(element("th", {role: "rowheader",
					scope: "row"}, this.openRow ?
					this.openButton(i, id, content) :
					content, this.noteOf(c, i)));
		});
		return tr;
	}

	openButton(i, id, content) {
		return element("button", {type: "button", class: "open",
			"aria-expanded": String(this.opened === id),
			onclick: () => this.isNested ? this.toggle(id) :
				changeState({open: this.opened === id ? "" :
					id})}, content);
	}

	toggle(id) {
		this.open(this.opened === id ? null : id);
		this.focusRow(id);
	}

	detail(i) {
		return element("tr", {role: "row", class: "detail"},
			element("td", {role: "cell",
				colspan: this.columns.length},
				this.openRow(i, this.sort)));
	}

	othersRow() {
		const left = this.table.all - this.table.n;
		if (left <= 0)
			return null;
		const tr = element("tr", {role: "row", class: "others"},
			element("th", {scope: "row", role: "rowheader"},
				left + " others"));
		for (const c of this.columns.slice(1))
			tr.append(element("td", {role: "cell", class: "n",
				"data-key": c.key, "data-label": c.label},
				typeof this.table.others[c.key] === "number" ?
				countNode(this.table.others[c.key]) : ""));
		return element("tfoot", {role: "rowgroup"}, tr);
	}

	// Open the row @id, and show its page, even if it is not code of the user.
	// Return whether there is such a row.
	open(id) {
		const find = () => this.index.findIndex(i => this.rowId(i) === id);
		let at = id ? find() : -1;
		if (at < 0 && id && this.hidden && this.hasRow(id)) {
			this.onlyOwn = false;
			this.select();
			at = find();
		}
		this.opened = at < 0 ? null : id;
		if (at >= 0)
			this.page = Math.floor(at / ROWS);
		this.draw();
		return at >= 0;
	}

	hasRow(id) {
		for (let i = 0; i < this.table.n; i++)
			if (this.rowId(i) === id)
				return true;
		return false;
	}

	focusRow(id) {
		const row = this.node.querySelector(
			"[data-row=\"" + CSS.escape(id) + "\"]");
		if (!row)
			return;
		row.querySelector("button")?.focus();
		row.scrollIntoView({block: "nearest"});
	}
}

// Return a column for each count in @keys that is not 0 in all rows of @table,
// after one with the share of the count by which the grid is sorted. @totals:
// the wholes of the shares; if a key is missing, its sum in @table.
function countColumns(table, keys, totals) {
	const columns = [{key: "@share", label: "Share", isCount: true,
		isFixed: true, title: "share of the column that sorts",
		cell: (i, sort) => {
			const whole = totals[sort] || table.sum(sort);
			const part = table.cell(i, sort);
			if (typeof part !== "number" || !whole)
				return "";
			return element("span", {class: "share"},
				barNode(part / whole),
				percentText(part, whole));
		}}];
	for (const key of keys)
		if (table.sum(key) > 0)
			columns.push({key, label: key, isCount: true,
				cell: i => table.cell(i, key) === undefined ?
					"" : countNode(table.cell(i, key))});
	return columns;
}
