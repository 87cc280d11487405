// The page of a guest: the door, then the table on screens or in lines, over one socket.
//
//   door ── sit ──→ connecting ──→ playing ── the socket ends ──→ connecting (after 0.25 to 5 s, or when seen again)
//                       ↑             └── ended, taken ──→ stopped ── "again" ──┐
//                       └───────────────────────────────────────────────────────┘
"use strict";

const SOONEST = 250, LATEST = 5000, GIVE_UP = 60000, SHOWN = 5000;  // milliseconds
const NARROW = 640;                                   // pixels that 80 columns want at least
const byId = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)").matches;

let texts = {}, front = null, socket = null, stopped = true, wait = SOONEST, waiting = 0, lostAt = 0, away = false, calling = false, keeping = 0, noticing = 0;
const key = location.hash.slice(1);
if (key) history.replaceState(null, "", location.pathname);

async function hello(language) {
  const asked = language ? "?language=" + encodeURIComponent(language) : "";
  const said = await (await fetch("hello" + asked, { cache: "no-store" })).json();
  texts = said.texts;
  document.documentElement.lang = said.language;
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = texts[one.dataset.text];
  for (const one of document.querySelectorAll("[data-hint]")) one.placeholder = one.ariaLabel = texts[one.dataset.hint];
  byId("language").replaceChildren(...Object.entries(said.languages).map(([code, name]) => {
    const option = new Option(name, code);
    option.selected = code === said.language;
    return option;
  }));
  return said;
}

async function start() {
  const said = await hello(localStorage.getItem("language"));
  if (said.name !== null) return play();
  byId("words").hidden = said.open || key !== "";
  byId("name").value = localStorage.getItem("name") || "";
  byId("door").hidden = false;
  byId("name").focus();
}

byId("language").onchange = (event) => {
  localStorage.setItem("language", event.target.value);
  hello(event.target.value);
};

byId("door").onsubmit = async (event) => {
  event.preventDefault();
  const name = byId("name").value, language = byId("language").value;
  const answer = await fetch("sit?language=" + encodeURIComponent(language), {
    method: "POST",
    body: JSON.stringify({ name, code: byId("words").hidden ? key : byId("code").value, dark }),
  }).catch(() => null);
  if (answer && answer.ok) {
    localStorage.setItem("name", name);
    return play();
  }
  const said = answer ? await answer.json().catch(() => ({})) : {};
  byId("refused").textContent = said.reason || texts.closed;
  byId("refused").hidden = false;
  if (said.code === "wrong_code" || said.code === "code_needed") byId("words").hidden = false;
};

// Playing

function play(kind) {
  byId("door").hidden = true;
  if (front) front.close();
  front = make(kind || (innerWidth < NARROW ? "lines" : "screens"));
  front.open();
  byId("switch").textContent = front.kind === "lines" ? texts.screens : texts.lines;
  byId("switch").hidden = innerWidth >= NARROW && front.kind === "screens";
  connect();
}

const made = {};

function make(kind) {
  made[kind] = made[kind] || (kind === "lines"
    ? new Lines(byId("lines"), texts, send, call, notice)
    : new Screens(byId("screens"), dark, texts, send, call, notice));
  return made[kind];
}

function connect() {
  clearTimeout(waiting);
  if (socket) socket.onclose = socket.onmessage = null, socket.close();
  stopped = false;
  byId("said").hidden = true;
  const [width, height] = front.size;
  socket = new WebSocket(`ws://${location.host}/play?kind=${front.kind}&width=${width}&height=${height}&language=${document.documentElement.lang}`);
  socket.binaryType = "arraybuffer";
  socket.onmessage = (event) => {
    wait = SOONEST;
    lostAt = 0;
    away = false;
    byId("lost").hidden = true;
    if (typeof event.data === "string") told(JSON.parse(event.data));
    else front.draw(new Uint8Array(event.data));
  };
  socket.onclose = lost;
}

// Return whether the message was sent. Without a connection, the page alone can end the guest's visit.
function send(said) {
  called(false);
  const open = socket !== null && socket.readyState === WebSocket.OPEN;
  if (open) socket.send(JSON.stringify(said));
  else if (said.type === "leave") leave();
  return open;
}

function leave() {
  clearTimeout(waiting);
  if (socket) socket.onclose = socket.onmessage = null, socket.close();
  byId("lost").hidden = true;
  stop(texts.left, texts.again, true);
}

function told(said) {
  if (said.type === "over") over(said.over);
  else if (said.type === "notice") notice(said.text);
  else if (said.type === "away") away = true;
  else if (said.type !== "end") front.take(said);
  else if (said.why === "closed") stop(texts.closed_table, "", true);
  else if (said.why === "taken") stop(texts.taken, texts.here, false);
  else stop(said.text || texts[said.why], texts.again, true);
}

// A sentence about what the guest has just done, which goes away.
function notice(sentence) {
  clearTimeout(noticing);
  byId("notice").textContent = sentence;
  byId("notice").hidden = false;
  noticing = setTimeout(() => { byId("notice").hidden = true; }, SHOWN);
}

// The game is over: the page keeps the transcript itself, since the host may be gone before it is wanted.
function over(now) {
  byId("over").hidden = !now;
  front.resize();
  clearTimeout(keeping);
  if (now) keeping = setTimeout(keep, SOONEST * 4);
}

async function keep() {
  const answer = await fetch("transcript").catch(() => null);
  if (!answer || !answer.ok) return;
  const name = /filename="(.+)"/.exec(answer.headers.get("Content-Disposition"));
  const kept = URL.createObjectURL(await answer.blob());
  for (const link of document.querySelectorAll("a[download]")) link.href = kept, link.download = name ? name[1] : "citadels.ctr";
}

function stop(sentence, again, kept) {
  stopped = true;
  byId("sentence").textContent = sentence;
  byId("again").textContent = again;
  byId("again").hidden = !again;
  byId("kept").hidden = !kept || byId("over").hidden;
  byId("said").hidden = false;
  byId("again").focus();
}

byId("again").onclick = () => {
  front.clear();
  connect();
  front.focus();
};

function lost() {
  if (stopped) return;
  lostAt = lostAt || Date.now();
  byId("lost").hidden = false;
  byId("lost").textContent = away ? texts.away : Date.now() - lostAt > GIVE_UP ? texts.closed : texts.lost;
  waiting = setTimeout(connect, wait);
  wait = Math.min(wait * 2, LATEST);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  called(false);
  if (!stopped && socket.readyState !== WebSocket.OPEN) wait = SOONEST, connect();
});

// The title calls until somebody looks.

function call() { called(document.hidden || !document.hasFocus()); }

function called(now) {
  calling = now;
  document.title = (calling ? `● ${texts.call} - ` : "") + "Citadels";
}

addEventListener("focus", () => called(false));
addEventListener("resize", () => front && front.resize());
byId("switch").onclick = () => play(front.kind === "lines" ? "screens" : "lines");

start();
