// The game as messages: what happened, a button for each choice, and commands that work at any time.
"use strict";

const KEPT = 400;    // entries of the log
const SETTLE = 400;  // milliseconds after which a tap can only be meant for the question that is shown
const COMMANDS = ["table", "hand", "who", "log", "help"];

class Lines {
  // `send` takes messages for the table, `called` is called by a new question, `notice` shows a sentence.
  constructor(place, texts, send, called, notice) {
    this.kind = "lines";
    this.size = [80, 24];
    this.place = place;
    this.texts = texts;
    this.send = send;
    this.called = called;
    this.notice = notice;
    this.question = null;
    this.shownAt = 0;
    this.log = place.querySelector("#log");
    this.choices = place.querySelector("#choices");
    this.typed = place.querySelector("#line");
    place.querySelector("#typing").onsubmit = (event) => {
      event.preventDefault();
      this.submit((text) => ({ type: "line", text, question: this.question ? this.question.id : 0 }));
    };
    place.querySelector("#chat").onclick = () => this.submit((text) => ({ type: "say", text }));
    this.ready = this.button(texts.ready, () => this.send({ type: "ready" }));
    this.leaving = this.button(texts.leave, () => this.confirm(true));
    const commands = COMMANDS.map((what) => this.button(texts[what], () => this.send({ type: "show", what })));
    place.querySelector("#commands").replaceChildren(this.ready, ...commands, this.leaving);
    place.querySelector("#leave").onclick = () => { this.confirm(false); this.send({ type: "leave" }); };
    place.querySelector("#stay").onclick = () => this.confirm(false);
  }

  open() { this.place.hidden = false; }

  close() { this.place.hidden = true; }

  resize() {}

  focus() {}

  clear() {
    this.log.replaceChildren();
    this.ask(null);
  }

  take(said) {
    if (said.type === "clear") this.clear();
    else if (said.type === "text") this.add([said.text], said.kind);
    else if (said.type === "view") this.add(said.lines, "view");
    else if (said.type === "question") this.ask(said);
    else if (said.type === "closed" && this.question && this.question.id === said.question) this.ask(null);
    else if (said.type === "stage") this.ready.hidden = said.stage !== "lobby";
  }

  add(lines, kind) {
    const shown = document.createElement("div");
    shown.textContent = lines.join("\n");
    shown.className = kind;
    this.log.append(shown);
    while (this.log.childElementCount > KEPT) this.log.firstElementChild.remove();
    this.log.scrollTop = this.log.scrollHeight;
  }

  ask(question) {
    this.question = question;
    this.shownAt = performance.now();
    this.choices.replaceChildren(...(question ? this.offered(question) : []));
    this.log.scrollTop = this.log.scrollHeight;
    if (question) this.called();
  }

  offered(question) {
    const several = question.ticking && (question.least !== 1 || question.most !== 1);
    const answer = (values) => this.answer(question, values);
    const shown = question.choices.map((one) => {
      if (!one.id) return this.sentence(one.text);
      return several ? this.tick(one) : this.button(one.text, () => answer({ choices: [one.id] }));
    });
    const asked = question.least === question.most ? question.least : `${question.least}-${question.most}`;
    if (several) shown.push(this.button(`${this.texts.choose} (${asked})`, () => answer({ choices: this.ticked() })));
    if (question.end) shown.push(this.button(question.end, () => answer({})));
    if (question.back) shown.push(this.button(this.texts.back, () => answer({ back: true })));
    return [...[question.status, ...question.before].map((text) => this.sentence(text)), ...shown,
      ...question.after.map((text) => this.sentence(text))];
  }

  // The second tap of a double tap may meet the next question, which has just appeared under the finger.
  answer(question, values) {
    if (performance.now() - this.shownAt < SETTLE) return this.notice(this.texts.changed);
    if (values.choices && !values.choices.length) return this.notice(this.texts.none);
    this.send({ type: "answer", question: question.id, ...values });
  }

  submit(message) {
    if (this.send(message(this.typed.value))) this.typed.value = "";
  }

  confirm(asked) {
    this.place.querySelector("#leaving").hidden = !asked;
  }

  ticked() { return [...this.choices.querySelectorAll("[aria-pressed=true]")].map((one) => Number(one.value)); }

  tick(choice) {
    const button = this.button(choice.text, () => button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true"));
    button.value = choice.id;
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  sentence(text) {
    const shown = document.createElement("p");
    shown.textContent = text;
    return shown;
  }

  button(text, pressed) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.onclick = pressed;
    return button;
  }
}
