// SPDX-License-Identifier: GPL-2.0-or-later
// curve.js - draws curves; each has a caption, a table of its values, and keys
// that announce its values

// Colours after Okabe and Ito, for a light and for a dark background.
const COLOURS = {
	light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07800",
		"#3a8fc4", "#7a6a00", "#777777"],
	dark: ["#56b4e9", "#e69f00", "#2fc79a", "#e79cc5", "#f0e442",
		"#9ad0f2", "#c9b84a", "#aaaaaa"],
};
const CURVE_HEIGHT = 220;
const BAND_HEIGHT = 8; // [pixels]
const TABLE_ROWS = 50;
const curves = [];

function colourOf(name) {
	return getComputedStyle(document.documentElement)
		.getPropertyValue(name).trim();
}

// @options: title, caption, x [numbers], series [{label, values, isStep}],
// xLabel, yLabel, xText, yText, isLog, group: curves of a group zoom together;
// bands, optional: [{ranges: [[from, to]]}], drawn as strips at the top, one below the
// other, in the colours of the series.
class Curve {
	constructor(options) {
		Object.assign(this, options);
		this.at = 0;
		this.box = element("div", {class: "plot", tabindex: "0",
			role: "group", "aria-label": this.title + ". Arrow " +
			"keys read values, Escape ends a zoom.",
			onkeydown: e => this.key(e)});
		this.figure = element("figure", null,
			element("figcaption", null,
				element("strong", null, this.title + ". "),
				this.caption),
			this.box, this.tableFold());
		curves.push(this);
		new ResizeObserver(() => this.fit()).observe(this.box);
	}

	axes() {
		const line = {stroke: colourOf("--dim"),
			grid: {stroke: colourOf("--line"), width: 1},
			ticks: {stroke: colourOf("--line"), width: 1}};
		return [{...line, label: this.xLabel, size: 36, labelSize: 18,
			values: (u, v) => v.map(n => n === null ? "" :
				this.xText(n))},
			{...line, size: 56,
			values: (u, v) => v.map(n => n === null ? "" :
				this.yText(n))}];
	}

	draw() {
		if (this.plot)
			this.plot.destroy();
		const colours = COLOURS[colourOf("--scheme")];
		const series = this.series.map((s, i) => ({label: s.label,
			stroke: colours[i % colours.length], width: 1.5,
			spanGaps: true,
			dash: i >= colours.length ? [4, 3] : undefined,
			points: {show: this.x.length < 40},
			paths: s.isStep ? uPlot.paths.stepped({align: 1}) :
				undefined,
			value: (u, v) => v === null || v === undefined ? "" :
				this.yText(v)}));
		this.plot = new uPlot({width: this.width(),
			height: CURVE_HEIGHT, axes: this.axes(),
			legend: {show: true},
			scales: {x: {time: false, distr: this.isLog ? 3 : 1,
				log: 2, range: this.group ? (u, min, max) =>
				[min <= this.x[0] ? 0 : min, max] : undefined}, y: {range: (u, min, max) =>
				[0, max > 0 ? max * 1.05 : 1]}},
			cursor: this.group ? {sync: {key: this.group}} : {},
			hooks: {setScale: [(u, key) => this.zoomed(key)],
				drawClear: [u => this.drawBands(u)]},
			series: [{label: this.xLabel,
				value: (u, v) => v === null ||
				v === undefined ? "" : this.xText(v)},
				...series]},
			[this.x, ...this.series.map(s => s.values)], this.box);
	}

	drawBands(u) {
		const colours = COLOURS[colourOf("--scheme")];
		const height = BAND_HEIGHT * devicePixelRatio;
		const {left, top, width} = u.bbox;
		u.ctx.save();
		u.ctx.beginPath();
		u.ctx.rect(left, top, width, u.bbox.height);
		u.ctx.clip();
		(this.bands || []).forEach((band, i) => {
			u.ctx.fillStyle = colours[i % colours.length];
			for (const [from, to] of band.ranges) {
				const x = u.valToPos(from, "x", true);
				u.ctx.fillRect(x, top + i * height, Math.max(1,
					u.valToPos(to, "x", true) - x),
					height - 1);
			}
		});
		u.ctx.restore();
	}

	width() {
		return Math.max(200, Math.floor(this.box.clientWidth));
	}

	fit() {
		const width = this.width();
		if (!this.plot)
			this.draw();
		else if (this.plot.width !== width)
			this.plot.setSize({width, height: CURVE_HEIGHT});
		for (const map of heatMaps)
			if (this.group && map.group === this.group)
				map.align(this.plot.bbox.left / devicePixelRatio,
					this.plot.bbox.width / devicePixelRatio);
	}

	// Zoom the other curves and the heat maps of the group to the interval of
	// this one.
	zoomed(key) {
		if (key !== "x" || !this.group || !this.plot || Curve.zooming)
			return;
		Curve.zooming = true;
		const {min, max} = this.plot.scales.x;
		zoomGroup(this.group, min, max, this);
		Curve.zooming = false;
	}

	key(e) {
		const step = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10,
			PageDown: 10}[e.key];
		if (e.key === "Escape" && this.plot) {
			this.plot.setScale("x", {min: this.x[0],
				max: this.x[this.x.length - 1]});
			e.preventDefault();
		}
		if (!step || e.target !== this.box || !this.plot)
			return;
		e.preventDefault();
		this.at = Math.max(0, Math.min(this.x.length - 1,
			this.at + step));
		this.plot.setCursor({left: this.plot.valToPos(this.x[this.at],
			"x"), top: 10});
		announce(this.xText(this.x[this.at]) + ": " +
			this.series.map(s => s.label + " " +
				this.valueText(s, this.at)).join(", "));
	}

	// Return the text of value @i of @series; "-" if it has none there.
	valueText(series, i) {
		const value = series.values[i] ?? null;
		return value === null ? "-" : this.yText(value);
	}

	tableFold() {
		const step = Math.ceil(this.x.length / TABLE_ROWS);
		const fold = element("details", null, element("summary", null,
			"Table of this plot" + (step > 1 ? ", one of " + step +
			" points" : "")));
		fold.addEventListener("toggle", () => {
			if (!fold.open || fold.querySelector("table"))
				return;
			const rows = [], numbers = new Set();
			for (let i = 0; i < this.x.length; i += step)
				rows.push([this.xText(this.x[i]),
					...this.series.map(s =>
						this.valueText(s, i))]);
			this.series.forEach((s, i) => numbers.add(i + 1));
			fold.append(tableNode([this.xLabel,
				...this.series.map(s => s.label)], rows,
				numbers));
		});
		return fold;
	}
}

function zoomGroup(group, min, max, except) {
	for (const curve of curves)
		if (curve !== except && curve.group === group && curve.plot)
			curve.plot.setScale("x", {min, max});
	for (const map of heatMaps)
		if (map.group === group)
			map.zoom(min, max);
}
