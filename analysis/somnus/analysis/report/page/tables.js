// Tables whose heads are buttons are sorted by them: numbers first from the largest.

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    const button = head.querySelector("button");
    if (button) button.addEventListener("click", () => sortBy(table, heads, place));
  });
}

function sortBy(table, heads, place) {
  const head = heads[place];
  const isNumber = head.classList.contains("number");
  const first = isNumber ? "descending" : "ascending";
  const other = isNumber ? "ascending" : "descending";
  const direction = head.getAttribute("aria-sort") === first ? other : first;
  heads.forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, two) => sign * compare(one.cells[place], two.cells[place], isNumber));
  table.tBodies[0].append(...rows);
}

function compare(one, two, isNumber) {
  if (!isNumber) return one.textContent.localeCompare(two.textContent, "en", {numeric: true});
  const [left, right] = [one, two].map((cell) => Number(cell.dataset.value ?? -Infinity));
  return left === right ? 0 : left - right;
}
