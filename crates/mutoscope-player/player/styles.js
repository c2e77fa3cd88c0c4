// The style sheet of the player. Muted colours leave the attention to the motion.

export const STYLES = `
:host {
  --background: #1b1d21; --panel: #22252b; --line: #30343c; --text: #d7dbe2; --dim: #9aa2b0; --accent: #ffb454;
  display: block; position: relative; min-height: 240px; height: 480px; color: var(--text); background: var(--background);
  font: 13px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow: hidden; contain: content;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.player { position: absolute; inset: 0; display: flex; flex-direction: column; outline: none; }
.player[hidden], [hidden] { display: none !important; }
.bar { display: flex; align-items: baseline; gap: 10px; padding: 6px 12px; min-height: 32px; background: var(--panel); border-bottom: 1px solid var(--line); white-space: nowrap; }
.bar h2 { margin: 0; font-size: 13px; font-weight: 600; overflow: hidden; text-overflow: ellipsis; }
.facts { color: var(--dim); overflow: hidden; text-overflow: ellipsis; flex: 1; }
.view { position: relative; flex: 1; min-height: 0; }
.view canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
.scene { touch-action: none; cursor: grab; }
.scene:active { cursor: grabbing; }
.labels { pointer-events: none; }
.caption { position: absolute; left: 50%; bottom: 12px; transform: translateX(-50%); max-width: 80%; padding: 3px 12px; border-radius: 12px; background: rgb(34 37 43 / .88); pointer-events: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.legend { position: absolute; left: 12px; bottom: 12px; display: flex; gap: 12px; color: var(--dim); font-size: 12px; pointer-events: none; }
.legend span { display: inline-flex; align-items: center; gap: 5px; }
.legend i { width: 9px; height: 9px; border-radius: 50%; }
.legend i.square { border-radius: 2px; }
.notice { position: absolute; top: 12px; left: 50%; transform: translateX(-50%); max-width: 90%; padding: 5px 14px; border-radius: 14px; background: rgb(34 37 43 / .92); border: 1px solid var(--line); }
.transport { display: flex; align-items: center; gap: 4px; padding: 4px 8px; min-height: 40px; background: var(--panel); border-top: 1px solid var(--line); }
button, select { font: inherit; color: var(--text); background: none; border: 1px solid transparent; border-radius: 5px; min-width: 30px; height: 30px; padding: 0 7px; cursor: pointer; }
select { background: var(--panel); width: 64px; }
button:hover, select:hover { background: #2c3038; }
button svg { display: block; width: 16px; height: 16px; fill: currentColor; margin: auto; }
button[aria-pressed="true"], button[aria-expanded="true"] { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 4px; }
.player:focus-visible { outline: none; }
.player:focus-visible .view { box-shadow: inset 0 0 0 2px var(--accent); }
.time { font: 13px ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-variant-numeric: tabular-nums; padding: 0 8px; white-space: nowrap; }
.time b { font-weight: 600; }
.time span { color: var(--dim); }
.gap { flex: 1; }
.timeline { position: relative; height: 74px; background: var(--background); border-top: 1px solid var(--line); touch-action: none; cursor: pointer; }
.timeline canvas { width: 100%; height: 100%; display: block; }
.panel { position: absolute; top: 0; right: 0; bottom: 0; width: min(320px, 100%); overflow: auto; padding: 12px 14px; background: var(--panel); border-left: 1px solid var(--line); }
.panel h3 { margin: 14px 0 4px; font-size: 12px; font-weight: 600; color: var(--dim); }
.panel h3:first-child { margin-top: 0; }
.panel p, .panel ul { margin: 4px 0; padding: 0; overflow-wrap: anywhere; }
.panel ul { list-style: none; }
.panel li button { display: flex; gap: 8px; width: 100%; height: auto; min-height: 26px; text-align: left; padding: 3px 6px; overflow-wrap: anywhere; }
.panel li time { color: var(--dim); font-family: ui-monospace, Consolas, monospace; flex: none; }
.panel dl { display: grid; grid-template-columns: auto 1fr; gap: 3px 12px; margin: 4px 0; }
.panel dt { font-family: ui-monospace, Consolas, monospace; color: var(--accent); white-space: nowrap; }
.panel dd { margin: 0; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bare .bar, .bare .transport, .bare .timeline, .bare .legend { display: none; }
.fallback { padding: 12px; overflow: auto; max-height: 100%; position: absolute; inset: 0; }
@media (max-width: 620px) {
  .facts, .wide { display: none !important; }
  .transport { gap: 0; padding: 4px; }
  .transport button, .transport select { min-width: 40px; height: 40px; }
  .legend { top: 12px; bottom: auto; }
}
`;
