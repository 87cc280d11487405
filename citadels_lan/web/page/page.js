// The page of a guest: the door, then the table for a finger or on screens, over one socket.
//
//   door ── sit ──→ connecting ──→ playing ── the socket ends ──→ connecting (after 0.25 to 5 s, or when seen again)
//                       ↑             └── ended, taken ──→ stopped ── "again" ──┐
//                       └───────────────────────────────────────────────────────┘
"use strict";

const SOONEST = 250, LATEST = 5000, GIVE_UP = 60000, SHOWN = 5000;  // milliseconds
const NARROW = 640, LOW = 480;                        // pixels that a terminal wants at least
const AGAIN = 20000, CALLS = 3;                       // milliseconds between calls, and how many of a question
const byId = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)").matches;

let texts = {}, front = null, socket = null, stopped = true, wait = SOONEST, waiting = 0, lostAt = 0, away = false, keeping = 0, noticing = 0, switching = false;
let sound = null, silent = localStorage.getItem("sound") === "off", ringing = 0;
const key = location.hash.slice(1);
if (key) history.replaceState(null, "", location.pathname);

async function hello(language) {
  const asked = language ? "?language=" + encodeURIComponent(language) : "";
  const said = await (await fetch("hello" + asked, { cache: "no-store" })).json();
  texts = said.texts;
  document.documentElement.lang = said.language;
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = texts[one.dataset.text];
  for (const one of document.querySelectorAll("[data-hint]")) one.placeholder = one.ariaLabel = texts[one.dataset.hint];
  for (const one of document.querySelectorAll("[data-label]")) one.ariaLabel = texts[one.dataset.label];
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

async function play(kind) {
  byId("door").hidden = true;
  if (kind) localStorage.setItem("view", kind);
  if (kind) switching = true, notice(texts.switching);
  const next = await front_of(kind || localStorage.getItem("view") || (innerWidth < NARROW || innerHeight < LOW ? "touch" : "screens"));
  if (front) front.close();
  front = next;
  byId("switch").hidden = front.kind !== "screens";
  front.open();
  connect();
}

const fronts = {};

// The terminal is loaded when it is first wanted: a phone does not need it.
async function front_of(kind) {
  if (kind === "screens" && !fronts.screens) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "xterm.css" }));
    for (const name of ["xterm.js", "addon-fit.js", "screens.js"]) await load(name);
  }
  fronts[kind] = fronts[kind] || (kind === "touch"
    ? new Touch(byId("touch"), texts, send, call, notice, commands)
    : new Screens(byId("screens"), dark, texts, send, call, notice));
  return fronts[kind];
}

function load(name) {
  return new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: name, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

// What the menu of the touch page offers beside the game.
function commands() {
  return [[silent ? texts.sound : texts.silent, mute], [texts.screens, () => play("screens")]];
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
    const said = typeof event.data === "string" ? JSON.parse(event.data) : null;
    // The new view has something to show: the screens of the terminal, or the table.
    if (switching && (said === null || said.type === "board")) switching = false, byId("notice").hidden = true;
    if (said) told(said);
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
  else if (said.why === "left" && !said.text && !byId("over").hidden) stopped = true;  // the result stays in sight
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

// A new turn calls: the title until somebody looks; on the touch page also a sound and a vibration, some times.

function call() {
  called(document.hidden || !document.hasFocus());
  if (front.kind !== "touch") return;
  let left = CALLS;
  const again = () => {
    ring();
    left -= 1;
    if (left && document.hidden) ringing = setTimeout(again, AGAIN);
  };
  again();
}

function called(calling) {
  clearTimeout(ringing);
  document.title = (calling ? `● ${texts.call} - ` : "") + "Citadels";
}

function ring() {
  if (silent) return;
  if (navigator.vibrate) navigator.vibrate([200, 100, 200]);
  if (!sound) return;
  sound.resume();
  for (const [start, pitch] of [[0, 660], [0.25, 880]]) {
    const tone = sound.createOscillator(), volume = sound.createGain();
    volume.gain.setValueAtTime(0.3, sound.currentTime + start);
    volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + start + 0.4);
    tone.frequency.value = pitch;
    tone.connect(volume).connect(sound.destination);
    tone.start(sound.currentTime + start);
    tone.stop(sound.currentTime + start + 0.4);
  }
}

function mute() {
  silent = !silent;
  localStorage.setItem("sound", silent ? "off" : "on");
  ring();
}

// Browsers allow sound only after a touch.
addEventListener("pointerdown", () => {
  sound = sound || new AudioContext();
  if (sound.state === "suspended") sound.resume();
});
addEventListener("focus", () => called(false));
addEventListener("resize", () => front && front.resize());
byId("switch").onclick = () => play("touch");

start();
