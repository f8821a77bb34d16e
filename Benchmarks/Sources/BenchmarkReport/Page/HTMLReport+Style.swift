extension HTMLReport {
    /// The colors of both schemes have a contrast to their background of at least 4.5 for text, and
    /// 3 for bars.
    static let style: StaticString = """
        :root { color-scheme: light dark; --ground: #fdfdfc; --card: #f3f4f2; --ink: #1b1d1f;
          --soft: #5b6168; --rule: #d9dcd8; --engine: #1f66c7; --baseline: #7d848c; --peer: #b9541b;
          --met: #1b7340; --missed: #b3261e; --open: #6a6f76; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #15181b; --card: #1e2226; --ink: #e9ebec; --soft: #a4abb2;
            --rule: #363c42; --engine: #6ea8f7; --baseline: #89919a; --peer: #ee9a62;
            --met: #6fce96; --missed: #ff8f85; --open: #a4abb2; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1.25rem 1rem 4rem; max-width: 72rem;
          background: var(--ground); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.8rem; margin: 0 0 .5rem; }
        h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; }
        h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
        h4 { font-size: .95rem; margin: 0 0 .5rem; }
        p { max-width: 68ch; }
        .soft { color: var(--soft); }
        a { color: var(--engine); }
        nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem;
          margin: 1rem 0; }
        dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
        .counts { display: flex; flex-wrap: wrap; gap: .75rem; padding: 0; list-style: none; }
        .counts li { flex: 1 1 8rem; background: var(--card); border-radius: .5rem;
          padding: .6rem .9rem; }
        .counts b { display: block; font-size: 1.7rem; line-height: 1.2; }
        .cards { display: grid; gap: 1rem;
          grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); }
        .card { background: var(--card); border-radius: .5rem; padding: .9rem; min-width: 0; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; font-size: .875rem;
          font-variant-numeric: tabular-nums; }
        th, td { padding: .35rem .6rem; text-align: right; vertical-align: top;
          border-bottom: 1px solid var(--rule); }
        thead th { color: var(--soft); font-weight: 600; }
        th:first-child, td:first-child { text-align: left; min-width: 11rem; font-weight: 400; }
        td { white-space: nowrap; } td.long { white-space: normal; min-width: 9rem; }
        .met { color: var(--met); } .missed { color: var(--missed); font-weight: 600; }
        .open { color: var(--open); }
        summary { cursor: pointer; color: var(--soft); font-size: .875rem; padding: .35rem 0; }
        figure { margin: 0; }
        svg { display: block; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
        .bars { overflow: visible; } .bars .name { fill: var(--soft); }
        rect.engine, circle.engine { fill: var(--engine); }
        rect.baseline, circle.baseline { fill: var(--baseline); }
        rect.peer, circle.peer { fill: var(--peer); }
        .range { stroke: var(--ink); stroke-width: 1.5; }
        .one { stroke: var(--soft); stroke-dasharray: 3 3; }
        .growth { width: 100%; height: auto; max-width: 26rem; }
        .growth .tick { font-size: 11px; fill: var(--soft); }
        .growth .end { text-anchor: end; } .growth .middle { text-anchor: middle; }
        .grid { stroke: var(--rule); }
        polyline { fill: none; stroke-width: 1.75; }
        polyline.engine, line.engine { stroke: var(--engine); }
        polyline.baseline, line.baseline { stroke: var(--baseline); }
        polyline.peer, line.peer { stroke: var(--peer); }
        .legend { list-style: none; margin: .25rem 0 0; padding: 0; font-size: .8125rem; }
        .key { display: inline-block; width: 24px; height: 8px; } .key line { stroke-width: 2; }
        .swatch { display: inline-block; width: .8em; height: .8em; margin-right: .35em; }
        .swatch.engine { background: var(--engine); }
        .swatch.baseline { background: var(--baseline); }
        .swatch.peer { background: var(--peer); }
        @media print { details > * { display: block; } }
        """
}
