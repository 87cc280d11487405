// The table in a terminal of the page (xterm.js).
"use strict";

const COLOURS = {
  dark: { background: "#11151b", foreground: "#d9dee6", cursor: "#11151b" },
  light: { background: "#eceae4", foreground: "#22262c", cursor: "#eceae4" },
};
const WAIT = 25;     // milliseconds in which what is typed is sent together
const SETTLED = 150; // milliseconds without another change of the size
const MOST = 64;     // keys in one message
const PASTE = 1000;  // characters pasted at once
const KEY = /\x1b\[M...|\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b.|./gsu;
const MOVED = /^\x1b\[<3\d;/;  // the mouse was moved
const PASTED = /^\x1b\[200~(.*)\x1b\[201~$/s;
const SMALLEST = 7;  // pixels of a letter

class Screens {
  // `send` takes messages for the table, `called` is called by its bell, `notice` shows a sentence.
  constructor(place, dark, texts, send, called, notice) {
    this.texts = texts;
    this.notice = notice;
    this.send = send;
    this.kind = "screens";
    this.place = place;
    this.typed = [];
    this.waiting = 0;
    this.terminal = new Terminal({
      theme: COLOURS[dark ? "dark" : "light"], fontSize: 16, scrollback: 0, allowProposedApi: false,
      fontFamily: '"DejaVu Sans Mono", "Cascadia Mono", Menlo, Consolas, ui-monospace, monospace',
      customGlyphs: true, macOptionIsMeta: true,
    });
    this.fit = new FitAddon.FitAddon();
    this.terminal.loadAddon(this.fit);
    for (const refused of [8, 9, 52, 777]) this.terminal.parser.registerOscHandler(refused, () => true);
    this.terminal.attachCustomKeyEventHandler((event) => this.isOurs(event));
    this.terminal.onData((keys) => this.type(keys));
    this.terminal.onBinary((keys) => this.type(keys));
    this.terminal.onBell(called);
    this.terminal.onResize(() => this.resized());
  }

  open() {
    this.place.hidden = false;
    if (!this.terminal.element) this.terminal.open(this.place);
    this.resize();
    this.terminal.focus();
  }

  close() { this.place.hidden = true; }

  // As large as the page, with letters small enough for the table where that can be.
  resize() {
    for (let size = 16; size >= SMALLEST; size -= 1) {
      this.terminal.options.fontSize = size;
      const wanted = this.fit.proposeDimensions();
      if (!wanted || (wanted.cols >= 80 && wanted.rows >= 24)) break;
    }
    this.fit.fit();
  }

  // A window that is dragged changes its size many times; the last one is sent.
  resized() {
    clearTimeout(this.resizing);
    this.resizing = setTimeout(() => this.send({ type: "size", size: this.size }), SETTLED);
  }

  get size() { return [this.terminal.cols, this.terminal.rows]; }

  // With a selection Ctrl-C copies; without one it is a key like any other.
  isOurs(event) {
    const copies = event.type === "keydown" && event.ctrlKey && event.key === "c" && this.terminal.hasSelection();
    if (copies) document.execCommand("copy");
    return !copies;
  }

  // The first key goes at once; what is typed soon after it goes together.
  type(keys) {
    const pasted = PASTED.exec(keys);
    if (pasted) return this.paste(pasted[1]);
    for (const one of keys.match(KEY) || []) {
      if (MOVED.test(one) && MOVED.test(this.typed.at(-1))) this.typed.pop();
      this.typed.push(one);
    }
    if (!this.waiting) this.flush();
  }

  flush() {
    const keys = this.typed.splice(0, MOST).join("");
    if (keys) this.send({ type: "keys", keys });
    this.waiting = keys ? setTimeout(() => this.flush(), WAIT) : 0;
  }

  paste(text) {
    if ([...text].length > PASTE) this.notice(this.texts.long);
    else this.send({ type: "paste", text });
  }

  take() {}

  draw(data) { this.terminal.write(data); }

  clear() { this.terminal.reset(); }

  focus() { this.terminal.focus(); }
}
