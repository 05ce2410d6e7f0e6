// SPDX-License-Identifier: GPL-2.0-or-later
// heat.js - draws the heat map: accesses by address and time

// Points of the colour map cividis, from dark to light.
const CIVIDIS = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119],
	[200, 184, 102], [254, 232, 56]];
const heatMaps = [];

function cividis(share) {
	const at = Math.max(0, Math.min(1, share)) * (CIVIDIS.length - 1);
	const low = Math.min(CIVIDIS.length - 2, Math.floor(at));
	return CIVIDIS[low].map((c, k) =>
		Math.round(c + (CIVIDIS[low + 1][k] - c) * (at - low)));
}

function addressText(address) {
	return "0x" + address.toString(16);
}

class HeatMap {
	constructor(heat, group) {
		this.heat = heat;
		this.group = group;
		this.rows = new Table(heat.rows);
		this.what = "accesses";
		this.columns = heat.accesses[0].length;
		this.from = 0;
		this.to = this.columns;
		this.canvas = element("canvas", {class: "heat", role: "img",
			"aria-label": "Accesses by address and time"});
		this.figure = element("figure", null,
			element("figcaption", null, element("strong", null,
				"Addresses over time. "), this.caption()),
			this.choice(), this.canvas, this.legend(),
			this.table());
		heatMaps.push(this);
		this.draw();
	}

	caption() {
		const h = this.heat;
		return "Each row is " + sizeText(h.granule) + " of memory, the " +
			"lowest address below; each column " +
			shortNumber(h.width) + " instructions. Rows without " +
			"accesses are left out. Lighter cells have higher " +
			"counts, on a logarithmic scale.";
	}

	choice() {
		const box = element("div", {class: "controls"});
		for (const what of ["accesses", "misses"])
			if (this.heat[what])
				box.append(element("label", null,
					element("input", {type: "radio",
						name: "heat",
						checked: what === this.what,
						onchange: () => {
							this.what = what;
							this.draw();
						}}), " " + what));
		return box;
	}

	legend() {
		const n = this.rows.n;
		return element("p", {class: "note"}, n ? addressText(
			this.rows.cell(0, "address")) + " to " + addressText(
			this.rows.cell(n - 1, "address") + this.heat.granule) :
			"");
	}

	sums() {
		return this.heat.accesses.map((row, i) => ({i,
			address: this.rows.cell(i, "address"),
			accesses: row.reduce((a, b) => a + b, 0),
			misses: this.heat.misses ? this.heat.misses[i].reduce(
				(a, b) => a + b, 0) : 0}));
	}

	table() {
		const rows = this.sums().sort((a, b) => b.accesses -
			a.accesses || a.i - b.i).slice(0, TABLE_ROWS);
		return element("details", null, element("summary", null,
			"Table of the " + rows.length + " rows with most accesses"),
			tableNode(["Address", "Accesses", "Misses"],
				rows.map(r => [addressText(r.address),
					countNode(r.accesses),
					countNode(r.misses)]),
				new Set([1, 2])));
	}

	// Set the left margin and the width [pixels] to those of the curves above.
	align(left, width) {
		this.canvas.style.marginLeft = left + "px";
		this.canvas.style.width = width + "px";
	}

	// Draw only the columns from @min to @max [instructions].
	zoom(min, max) {
		this.from = Math.max(0, Math.floor(min / this.heat.width));
		this.to = Math.min(this.columns,
			Math.max(this.from + 1, Math.ceil(max /
				this.heat.width)));
		this.draw();
	}

	draw() {
		const cells = this.heat[this.what], n = cells.length;
		const width = this.to - this.from;
		let most = 1;
		for (const row of cells)
			for (let k = this.from; k < this.to; k++)
				most = Math.max(most, row[k]);
		this.canvas.width = Math.max(1, width);
		this.canvas.height = Math.max(1, n);
		const context = this.canvas.getContext("2d");
		const image = context.createImageData(this.canvas.width,
			this.canvas.height);
		for (let i = 0; i < n; i++)
			for (let k = 0; k < width; k++) {
				const v = cells[n - 1 - i][this.from + k];
				const c = v ? cividis(0.15 + 0.85 *
					Math.log1p(v) / Math.log1p(most)) :
					[0, 0, 0];
				image.data.set([...c, v ? 255 : 0],
					4 * (i * width + k));
			}
		context.putImageData(image, 0, 0);
	}
}
