
"use strict";
document.documentElement.classList.add("js");
function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  return Promise.resolve();
}
document.addEventListener("click", event => {
  const button = event.target.closest("button.copy");
  if (button) {
    copyText(button.previousElementSibling.dataset.command).then(() => {
      button.textContent = "copied";
      setTimeout(() => { button.textContent = ""; }, 1200);
    });
    return;
  }
  const head = event.target.closest(".sortable thead th");
  if (!head) return;
  const body = head.closest("table").tBodies[0];
  const index = [...head.parentNode.children].indexOf(head);
  const isDescending = head.getAttribute("aria-sort") === "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
  const key = row => {
    const cell = row.children[index];
    if (!cell) return "";
    return "value" in cell.dataset ? (cell.dataset.value === "" ? "" : Number(cell.dataset.value)) : cell.textContent;
  };
  const order = (a, b) => {
    const [one, other] = [key(a), key(b)];
    if (one === "" || other === "") return (one === "") - (other === "");
    const difference = typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(other);
    return isDescending ? -difference : difference;
  };
  body.append(...[...body.rows].sort(order));
});
