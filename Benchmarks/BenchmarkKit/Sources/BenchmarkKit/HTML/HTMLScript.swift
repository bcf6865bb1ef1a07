/// The page's script: sorts the overview and filters the scenarios. Without it, the page has the same content.
enum HTMLScript {
    static let text = """
        for (const table of document.querySelectorAll("table.sortable")) {
          const body = table.tBodies[0];
          const key = (row, column) => {
            const cell = row.cells[column];
            if (column === 0) return cell.textContent;
            return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
          };
          [...table.tHead.rows[0].cells].forEach((head, column) => {
            if (head.classList.contains("word")) return;
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = head.textContent;
            head.replaceChildren(button);
            button.addEventListener("click", () => {
              const up = head.getAttribute("aria-sort") !== "ascending";
              for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
              head.setAttribute("aria-sort", up ? "ascending" : "descending");
              const rows = [...body.rows];
              rows.sort((a, b) => {
                const x = key(a, column), y = key(b, column);
                if (x === null || y === null) return (x === null) - (y === null);
                const order = typeof x === "number" ? x - y : x.localeCompare(y, undefined, {numeric: true});
                return up ? order : -order;
              });
              body.append(...rows);
            });
          });
        }
        const filter = document.getElementById("filter");
        if (filter) {
          filter.hidden = false;
          const input = filter.querySelector("input"), shown = filter.querySelector("output");
          const apply = () => {
            const text = input.value.trim().toLowerCase();
            let count = 0;
            for (const element of document.querySelectorAll("[data-name]")) {
              const fits = element.dataset.name.toLowerCase().includes(text);
              element.hidden = !fits;
              if (fits && element.tagName === "ARTICLE") count += 1;
            }
            shown.textContent = text ? `${count} shown` : "";
          };
          input.addEventListener("input", apply);
        }
        """
}
