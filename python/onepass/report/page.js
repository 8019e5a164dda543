// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The page at work: filters choose pictures and rows, a picture is drawn when it comes into sight, colours follow the system.
"use strict";
const report = JSON.parse(document.getElementById("data").textContent);
const dark = window.matchMedia("(prefers-color-scheme: dark)");
// A finger scrolls the page; it must not be caught by a picture.
const touch = window.matchMedia("(pointer: coarse)").matches;
const names = Object.keys(report.filters);
const chosen = {};

function style(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

function themed(layout) {
  const axis = { gridcolor: style("--line"), zerolinecolor: style("--line"), linecolor: style("--line"), automargin: true };
  return Object.assign({}, layout, {
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { color: style("--ink"), size: 12 },
    margin: { l: 10, r: 10, t: touch ? 10 : 30, b: 10 }, dragmode: touch ? false : "zoom",
    modebar: { bgcolor: "rgba(0,0,0,0)", color: style("--faint"), activecolor: style("--mark") }, xaxis: Object.assign({}, layout.xaxis, axis), yaxis: Object.assign({}, layout.yaxis, axis),
    legend: { orientation: "h", y: -0.25 }, hoverlabel: { align: "left", font: { size: 12 } }, autosize: true,
  });
}

// The texts of points are numbers, in the shape of the trace.
function words(number) { return Array.isArray(number) ? number.map(words) : number === null ? "" : report.hovers[number]; }
function expanded(trace) { return trace.text ? Object.assign({}, trace, { text: words(trace.text) }) : trace; }

function draw(figure) {
  const picture = report.pictures[figure.dataset.index];
  const options = { responsive: true, displaylogo: false, displayModeBar: touch ? false : "hover", toImageButtonOptions: { format: "svg", filename: picture.name },
    modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };
  return Plotly.react(figure.querySelector(".plot"), picture.data.map(expanded), themed(picture.layout), options)
    .then(() => { figure.dataset.drawn = "yes"; });
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting && !entry.target.dataset.drawn) draw(entry.target);
}, { rootMargin: "300px" });

function make(index) {
  const picture = report.pictures[index];
  const figure = document.createElement("figure");
  figure.id = picture.name;
  figure.dataset.index = index;
  figure.hidden = true;
  figure.innerHTML = "<figcaption></figcaption><div class='plot'></div>";
  figure.querySelector("figcaption").append(picture.title);
  const note = document.createElement("small");
  note.append(picture.note);
  figure.querySelector("figcaption").append(note);
  document.getElementById("pictures").append(figure);
  watcher.observe(figure);
}

// Whether what has these values belongs to the choice, as far as the filters before `end` go.
function fits(where, end = names.length) {
  return names.slice(0, end).every((name) => where[name] === undefined || where[name] === chosen[name]);
}

// Values that still lead somewhere, given the filters in front.
function available(position) {
  const name = names[position];
  return report.filters[name].filter((value) => report.pictures.some((p) => p.where[name] === value && fits(p.where, position)));
}

function update() {
  names.forEach((name, position) => {
    const values = available(position);
    if (values.length > 0 && !values.includes(chosen[name])) chosen[name] = values[0];
    const select = document.getElementById(`filter-${name}`);
    for (const option of select.options) option.disabled = !values.includes(option.value);
    select.value = chosen[name];
    select.parentElement.hidden = values.length < 2;
  });
  let shown = 0;
  for (const figure of document.querySelectorAll("#pictures figure")) {
    figure.hidden = !fits(report.pictures[figure.dataset.index].where);
    if (!figure.hidden) shown += 1;
    if (figure.hidden && figure.dataset.drawn) {
      Plotly.purge(figure.querySelector(".plot"));
      delete figure.dataset.drawn;
    }
  }
  for (const row of document.querySelectorAll(".points tbody tr")) row.hidden = !fits(row.dataset);
  for (const section of document.querySelectorAll("section[data-device]")) section.hidden = !fits(section.dataset);
  document.getElementById("nothing").hidden = shown > 0;
}

for (const name of names) {
  const label = document.createElement("label"), select = document.createElement("select");
  select.id = `filter-${name}`;
  for (const value of report.filters[name]) select.add(new Option(value, value));
  select.addEventListener("change", () => { chosen[name] = select.value; update(); });
  label.append(name, select);
  document.getElementById("filters").append(label);
}
report.pictures.forEach((_, index) => make(index));
update();
dark.addEventListener("change", () => {
  for (const figure of document.querySelectorAll("figure[data-drawn]")) draw(figure);
});
