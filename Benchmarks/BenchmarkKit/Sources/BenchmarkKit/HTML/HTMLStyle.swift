/// The page's style: the system's font, light or dark as the reader's system is set, no external files.
enum HTMLStyle {
    static let text = """
        :root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #d9dbe0; --page: #ffffff;
          --panel: #f6f7f9; --direct: #7d8590; --main: #0b7a8f; --alternative: #c4570c; --bad: #b42318;
          --doubt: #8a6d00; }
        @media screen and (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a0a6b0; --line: #3a3f47;
          --page: #15181c; --panel: #1d2126; --direct: #8f98a5; --main: #35b8cf; --alternative: #f0883e;
          --bad: #ff8a80; --doubt: #d9b44a; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 88rem; padding: 1rem; background: var(--page); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.6rem; margin: 0.5rem 0; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
        h3 { font-size: 1rem; margin: 0 0 0.5rem; }
        a { color: var(--main); }
        code { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0; }
        dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
        .scroll { overflow-x: auto; } .scroll:focus { outline: 2px solid var(--main); }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
        caption { text-align: left; color: var(--soft); padding: 0.25rem 0; white-space: normal; }
        caption span { position: sticky; left: 0; display: inline-block; max-width: min(100%, calc(100vw - 4rem)); }
        th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: right; }
        th:first-child, th.word, td.word { text-align: left; }
        th:first-child { position: sticky; left: 0; background: var(--page); }
        article th:first-child { background: var(--panel); } thead th { color: var(--soft); font-weight: 600; }
        tbody th { font-weight: 500; }
        article { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1rem;
          margin: 0 0 1rem; }
        svg { width: 100%; max-width: 44rem; height: auto; display: block; margin: 0.5rem 0; }
        svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .mark { fill: var(--soft); font-size: 12px; }
        .direct, .same { --tone: var(--direct); } .main, .less { --tone: var(--main); }
        .alternative, .more { --tone: var(--alternative); } .regression { --tone: var(--bad); }
        .inconclusive { --tone: var(--doubt); } .key { color: var(--tone); }
        .heat { fill: var(--main); shape-rendering: crispEdges; } .band { fill: var(--line); fill-opacity: 0.45; }
        .grid { stroke: var(--line); } .one { stroke: var(--ink); } svg a text { fill: var(--main); }
        .dot { fill: var(--tone); stroke: var(--tone); stroke-width: 1.5; } .dot.hollow { fill: var(--page); }
        .reach { stroke: var(--tone); stroke-width: 1.5; } .reach.inconclusive { stroke-dasharray: 4 2; }
        .arrow { fill: var(--tone); } .dots, .holes { fill: none; stroke-linecap: round; }
        .dots { stroke: var(--tone); stroke-width: 6; } .holes { stroke: var(--panel); stroke-width: 3; }
        .side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.5rem; }
        .curve { fill: none; stroke: var(--tone); stroke-width: 2; } .curve.direct { stroke-dasharray: 2 3; }
        .curve.alternative { stroke-dasharray: 7 3; }
        .warning { border-left: 4px solid var(--bad); padding: 0.25rem 0.75rem; background: var(--panel); }
        nav { margin: 1rem 0 0.5rem; } nav > a { margin-right: 1rem; } nav ul { columns: 12rem; padding-left: 1.2rem; }
        summary { cursor: pointer; color: var(--soft); }
        input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
          border-radius: 4px; padding: 0.25rem 0.5rem; max-width: 60%; }
        th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
        th[aria-sort] button { color: var(--ink); } th[aria-sort=ascending] button::after { content: " \\2191"; }
        th[aria-sort=descending] button::after { content: " \\2193"; }
        th button:focus-visible, a:focus-visible, summary:focus-visible { outline: 2px solid var(--main); }
        .quiet { color: var(--soft); }
        @media (max-width: 40rem) { .sortable th:first-child, .changes th:first-child { min-width: 6.5rem;
            max-width: 36vw; white-space: normal; overflow-wrap: anywhere; }
          .sortable .unit, .changes .unit { display: none; } .changes .change { white-space: normal; }
          body { padding: 0.75rem; } dl { grid-template-columns: 1fr; }
          dd { margin-bottom: 0.4rem; } article { padding: 0.75rem; }
          svg text { font-size: 17px; } svg .mark { font-size: 15px; } }
        @media print { @page { margin: 12mm; } :root { color-scheme: light; }
          body { padding: 0; font-size: 9pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          nav, #filter { display: none; } h1, h2, h3, caption { break-after: avoid; }
          article, svg, tr, dl, .warning { break-inside: avoid; } thead { display: table-header-group; }
          article { padding: 0.5rem; } svg { max-width: 24rem; } .scroll { overflow: visible; }
          .side { grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
          caption span, th:first-child { position: static; } a { color: inherit; }
          table { width: 100%; font-size: 7pt; white-space: normal; } article table { font-size: 5.5pt; }
          th, td { padding: 0.1rem 0.2rem 0.1rem 0; } th { overflow-wrap: anywhere; } }
        """
}
