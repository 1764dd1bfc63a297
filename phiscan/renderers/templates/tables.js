"use strict";
// Tables of five rows or more sort by a column, those of twelve or more filter by what is typed.
// It asks for nothing and keeps nothing; without this script the page holds the same rows.
(() => {
  const SORT = 5, FILTER = 12, NAMES = ["none", "ascending", "descending"];

  // What a cell is sorted by: its figure if it has one ("1,204", "5.4%", "0 of 33"), else its words.
  const key = cell => {
    const told = (cell.querySelector("b") || cell).cloneNode(true);
    told.querySelectorAll("small").forEach(small => small.remove());
    const text = told.textContent.trim();
    const number = text.replace(/,/g, "").match(/^[<>~\s]*([-+]?\d+(\.\d+)?)(?![\w.-])/);
    return { number: number ? Number(number[1]) : NaN, text };
  };

  // Numbers before words, both up or both down; what is missing or empty stands last either way.
  const missing = one => /^([-\u2013]?|not .*)$/.test(one.text);
  const compare = (a, b, up) => {
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    const [x, y] = [Number.isNaN(a.number), Number.isNaN(b.number)];
    if (x !== y) return x - y;
    return up * (x ? a.text.localeCompare(b.text) : a.number - b.number);
  };

  // Cells that span rows written out, so that every row can stand alone; headings between rows go.
  const flatten = table => {
    const body = document.createElement("tbody");
    for (const part of [...table.tBodies]) {
      const rows = [...part.rows];
      rows.forEach((row, at) => {
        for (const cell of [...row.cells]) {
          const span = Math.min(cell.rowSpan, rows.length - at);
          if (span < 2) continue;
          cell.rowSpan = 1;
          for (const next of rows.slice(at + 1, at + span)) {
            next.insertBefore(cell.cloneNode(true), next.cells[cell.cellIndex] || null);
          }
        }
      });
      body.append(...rows.filter(row => [...row.cells].every(cell => cell.colSpan === 1)));
      part.remove();
    }
    table.append(body);
    return body;
  };

  const prepare = table => {
    const heads = table.tHead ? [...table.tHead.rows[table.tHead.rows.length - 1].cells] : [];
    const rows = [...table.tBodies].flatMap(body => [...body.rows]);
    const whole = rows.filter(row => [...row.cells].every(cell => cell.colSpan === 1));
    if (!heads.length || whole.length < SORT || table.classList.contains("worksheet")) return;
    const original = [...table.tBodies].map(body => body.cloneNode(true));
    const state = { column: -1, order: 0, words: "" };

    const show = () => {
      [...table.tBodies].forEach(body => body.remove());
      table.append(...original.map(body => body.cloneNode(true)));
      heads.forEach((head, at) => head.setAttribute("aria-sort", NAMES[at === state.column ? state.order : 0]));
      const words = state.words.trim().toLowerCase();
      if (!state.order && !words) return whole.length;
      const body = flatten(table);
      let shown = [...body.rows].filter(row => row.textContent.toLowerCase().includes(words));
      if (state.order) {
        const keyed = shown.map(row => [key(row.cells[state.column]), row]);
        keyed.sort(([a], [b]) => compare(a, b, state.order === 1 ? 1 : -1));
        shown = keyed.map(([, row]) => row);
      }
      body.replaceChildren(...shown);
      return shown.length;
    };

    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.setAttribute("aria-label", `Sort by ${head.innerText.replace(/\s+/g, " ").trim() || "this column"}`);
      button.addEventListener("click", () => {
        state.order = state.column === column ? (state.order + 1) % 3 : 1;
        state.column = column;
        show();
      });
      head.setAttribute("aria-sort", "none");
      head.append(button);
    });

    if (whole.length < FILTER) return;
    const label = document.createElement("label"), field = document.createElement("input");
    const count = document.createElement("span");
    label.className = "filter";
    field.type = "search";
    count.setAttribute("aria-live", "polite");
    field.addEventListener("input", () => {
      state.words = field.value;
      const shown = show();
      count.textContent = state.words.trim() ? `${shown} of ${whole.length} rows` : "";
    });
    label.append("Filter rows ", field, " ", count);
    table.closest(".scroll").before(label);
  };

  document.querySelectorAll(".scroll > table:not(.signatures)").forEach(prepare);
})();
