// The game in lines, with a button for each choice.
"use strict";

const KEPT = 400;
const CHOICE = /^ ?(\d{1,2}) (.+)$/;
const NUMBERED = /^( ?\d{1,2} | - )/;
const TURN = /^(==|--) /;
const COMMANDS = ["ready", "table", "hand", "who", "log", "help"];

class Lines {
  constructor(place, texts, send, called) {
    this.kind = "lines";
    this.size = [80, 24];
    this.place = place;
    this.texts = texts;
    this.asked = [];
    this.send = send;
    this.called = called;
    this.log = place.querySelector("#log");
    this.choices = place.querySelector("#choices");
    this.typed = place.querySelector("#line");
    place.querySelector("#typing").onsubmit = (event) => {
      event.preventDefault();
      this.say(this.typed.value);
      this.typed.value = "";
    };
    place.querySelector("#commands").replaceChildren(...COMMANDS.map((word) => this.button(texts[word], () => this.say(word))));
  }

  open() { this.place.hidden = false; }

  close() { this.place.hidden = true; }

  resize() {}

  focus() {}

  clear() {
    this.log.replaceChildren();
    this.choices.replaceChildren();
    this.asked = [];
  }

  say(line) { this.send({ keys: line }); }

  show(lines, anew) {
    if (anew) this.clear();
    for (const line of lines) this.add(line);
    while (this.log.childElementCount > KEPT) this.log.firstElementChild.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  // What may be chosen ends with an empty line; before it stand numbers, and behind these what else is wanted.
  add(line) {
    if (line === "") return this.ask(this.asked.splice(0));
    this.asked.push(line);
    if (TURN.test(line)) this.choices.replaceChildren();
    const shown = document.createElement("div");
    shown.textContent = line;
    if (line.startsWith("? ")) shown.className = "asked";
    if (line.startsWith("!! ")) shown.className = "mine";
    this.log.append(shown);
  }

  ask(lines) {
    const offered = (line) => NUMBERED.test(line) || this.ending(line);
    const last = lines.findLastIndex((line) => offered(line));
    const first = lines.slice(0, last + 1).findLastIndex((line) => !offered(line)) + 1;
    const offers = lines.slice(first, last + 1);
    const numbered = offers.map((line) => line.match(CHOICE)).filter((found) => found);
    const several = numbered.length > 0 && last + 1 < lines.length;
    const buttons = numbered.map((found) => several ? this.tick(found) : this.button(found[2], () => this.choose(found[1])));
    const end = offers.map((line) => this.ending(line)).find((found) => found);
    if (several) buttons.push(this.button(this.texts.choose, () => this.choose(this.ticked())));
    if (end) buttons.push(this.button(end, () => this.choose("end")));
    if (!buttons.length) return;
    this.choices.replaceChildren(...buttons);
    this.choices.classList.remove("answered");
    this.called();
  }

  // What the line says that offers the end of the turn; its word is that of the language of the game.
  ending(line) {
    const word = [this.texts.end, "end"].find((one) => line.startsWith(`${one} `));
    return word && line.slice(word.length + 1);
  }

  // Until the next question the choices stay: the answer may be a question in turn.
  choose(line) {
    if (!line) return;
    this.choices.classList.add("answered");
    this.say(line);
  }

  ticked() { return [...this.choices.querySelectorAll("[aria-pressed=true]")].map((one) => one.value).join(" "); }

  tick(found) {
    const button = this.button(found[2], () => button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true"));
    button.value = found[1];
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  button(text, pressed) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.onclick = pressed;
    return button;
  }
}
