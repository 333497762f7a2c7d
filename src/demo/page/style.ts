/** How the start page looks: light and dark as the reader's system is, from a telephone's width up. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f4ef; --card: #fffefb; --ink: #24272c; --soft: #646870; --line: #e3dfd6;
  --accent: #2b5a88; --on-accent: #fff; --badge: #b93a2a; --on-badge: #fff; --own: #eef3f8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1b1f25; --ink: #e7e4de; --soft: #9ea4ad; --line: #2d333c;
    --accent: #8db9e4; --on-accent: #101820; --badge: #ec7a64; --on-badge: #1d0d09; --own: #222b35;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 74rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Hiragino Sans", "Noto Sans JP", sans-serif;
}
h1 { margin: 0; font-size: 1.75rem; letter-spacing: -0.01em; }
h1 span { color: var(--accent); font-weight: 500; margin-right: 0.35rem; }
h2 { margin: 2.75rem 0 0.5rem; font-size: 1.1rem; }
p { margin: 0.4rem 0; max-width: 44rem; }
a { color: var(--accent); }
.lead { color: var(--soft); }
.soft, time, .topic { color: var(--soft); font-size: 0.85rem; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.panes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.25rem; margin: 1.75rem 0 1rem; }
.pane {
  display: grid; grid-template: "who who" auto "rooms talk" 1fr "say say" auto / 11rem 1fr;
  height: 29rem; overflow: hidden; border: 1px solid var(--line); border-radius: 0.9rem; background: var(--card);
}
.who { grid-area: who; display: flex; align-items: center; gap: 0.65rem; padding: 0.8rem 1rem; border-bottom: 1px solid var(--line); }
.who h2 { margin: 0; font-size: 1rem; }
.face { display: grid; place-items: center; width: 2rem; height: 2rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-weight: 600; }
.state { margin-left: auto; }
.badge { min-width: 1.45rem; padding: 0 0.4rem; border-radius: 1rem; background: var(--badge); color: var(--on-badge); font-size: 0.8rem; font-weight: 650; line-height: 1.45rem; text-align: center; }
.badge.none { display: none; }
.moved { animation: moved 0.35s ease-out; }
@keyframes moved { 40% { transform: scale(1.3); } }
@media (prefers-reduced-motion: reduce) { .moved { animation: none; } }

.rooms { grid-area: rooms; margin: 0; padding: 0.5rem; overflow-y: auto; list-style: none; border-right: 1px solid var(--line); }
.rooms button { display: flex; align-items: center; justify-content: space-between; gap: 0.4rem; width: 100%; padding: 0.4rem 0.6rem; border: 0; border-radius: 0.5rem; background: none; text-align: left; }
.rooms button:hover { background: var(--own); }
.rooms button[aria-current] { background: var(--own); font-weight: 600; }
.rooms span:first-child { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.talk { grid-area: talk; padding: 0.75rem 1rem; overflow-y: auto; overflow-wrap: anywhere; }
.talk > p { color: var(--soft); }
.message { margin: 0 0 0.8rem; }
.message b { margin-right: 0.45rem; }
.message div { white-space: pre-wrap; }
.replies { color: var(--accent); font-size: 0.85rem; }
.say { grid-area: say; display: flex; gap: 0.5rem; padding: 0.7rem; border-top: 1px solid var(--line); }
.say input { flex: 1; min-width: 0; padding: 0.45rem 0.8rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--paper); }
.say button, .copy { padding: 0.4rem 0.9rem; border: 0; border-radius: 0.6rem; background: var(--accent); color: var(--on-accent); }
button:disabled { opacity: 0.5; cursor: default; }
.copy { padding: 0.15rem 0.7rem; font-size: 0.85rem; }
pre { position: relative; margin: 0.5rem 0 1rem; padding: 0.8rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card); font: 0.82rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.tokens { padding: 0; list-style: none; }
.tokens code { flex: 0 1 24rem; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.8rem; color: var(--soft); }
.tokens li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.8rem; margin: 0.5rem 0; }

@media (max-width: 34rem) {
  body { padding: 1.5rem 0.8rem 3rem; }
  .pane { grid-template: "who" auto "rooms" auto "talk" 1fr "say" auto / 1fr; height: 27rem; }
  .rooms { display: flex; overflow-x: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  .rooms button { width: auto; white-space: nowrap; }
}
`;
