// The game for a finger: what happened, the players, the own hand, and a large button for each choice.
"use strict";

const KEPT = 400;    // entries of the log
const SETTLE = 400;  // milliseconds after which a tap can only be meant for the question that is shown
const LONG = 500;    // milliseconds of a long press
const OWN = 3000;    // milliseconds in which the next question follows from the guest's own answer
const COLUMN = ["gold", "cards", "points"];

class Touch {
  // `send` takes messages for the table, `called` is called by a new turn, `notice` shows a sentence. `commands`
  // are further lines of the menu: labels and functions.
  constructor(place, texts, send, called, notice, commands) {
    this.kind = "touch";
    this.size = [80, 24];
    this.place = place;
    this.texts = texts;
    this.send = send;
    this.called = called;
    this.notice = notice;
    this.commands = commands;
    this.question = this.board = null;
    this.stage = "";
    this.shownAt = 0;
    this.answeredAt = -OWN;
    this.pressing = this.pressed = 0;
    for (const name of ["status", "news", "round", "seats", "hand", "choices", "line", "earlier"]) this[name] = byId(name);
    this.sheet = byId("sheet");
    byId("bar").onsubmit = (event) => this.submit(event);
    byId("more").onclick = () => this.menu();
    byId("close").onclick = () => this.sheet.close();
    this.earlier.onclick = () => this.news.classList.toggle("all");
    for (const area of [place, this.sheet]) this.listen(area);
    // New choices take lines from the log: its end stays in sight.
    new ResizeObserver(() => { this.news.scrollTop = this.news.scrollHeight; }).observe(this.news);
  }

  open() { this.place.hidden = false; }

  close() {
    this.place.hidden = true;
    this.sheet.close();
  }

  resize() {}

  focus() {}

  clear() {
    this.news.replaceChildren(this.earlier);
    this.earlier.hidden = true;
    this.board = null;
    this.ask(null);
  }

  take(said) {
    if (said.type === "clear") this.clear();
    else if (said.type === "text") this.add(said);
    else if (said.type === "since") this.since();
    else if (said.type === "board") this.draw(said);
    else if (said.type === "view") this.show(said.lines);
    else if (said.type === "question") this.ask(said);
    else if (said.type === "closed" && this.question && this.question.id === said.question) this.ask(null);
    else if (said.type === "stage") this.enter(said.stage);
  }

  // What happened

  add(said) {
    this.news.append(made("p", said.text, said.kind));
    while (this.news.childElementCount > KEPT) this.earlier.nextElementSibling.remove();
    this.news.scrollTop = this.news.scrollHeight;
  }

  // What was told before is hidden until the guest wants it.
  since() {
    this.news.classList.remove("all");
    for (const one of this.news.children) if (one !== this.earlier) one.classList.add("old");
    this.earlier.hidden = false;
  }

  enter(stage) {
    this.stage = stage;
    this.place.classList.toggle("over", stage === "over");
    this.news.scrollTop = this.news.scrollHeight;
    if (!this.question) this.ask(null);
  }

  // The table

  draw(board) {
    this.board = board;
    this.status.textContent = board.status || this.texts.lobby;
    this.round.replaceChildren(...board.lines.map((line) => made("p", line)));
    this.seats.replaceChildren(...board.seats.map((seat) => this.seat(seat)));
    this.hand.replaceChildren(...[...board.characters, ...board.hand].map((card) => this.card(card)));
  }

  seat(seat) {
    const row = made("li", "", [seat.you ? "you" : "", seat.now ? "now" : ""].join(" ").trim());
    const head = made("div");
    head.append(made("b", (seat.crown ? "♛ " : "") + seat.name), made("i", seat.note));
    if (this.stage !== "lobby") {
      head.append(made("span", COLUMN.map((what) => `${this.texts[what]} ${seat[what]}`).join(" · ")));
    }
    const city = made("div", "", "city");
    city.append(...seat.city.map((card) => this.card(card)));
    row.append(head, city);
    return row;
  }

  card(card) {
    const shown = button("", () => this.about(card.key));
    shown.className = "playing";
    shown.dataset.kind = card.kind;
    shown.dataset.about = card.key;
    // The ranks of characters have no meaning in a common city.
    const cost = card.kind === "character" && this.board.common ? "" : card.cost;
    shown.append(made("b", (this.texts[card.kind] || "") + cost), made("span", card.name + (card.note ? ` (${card.note})` : "")));
    return shown;
  }

  // The choices

  ask(question) {
    const before = this.question;
    this.question = question;
    this.shownAt = performance.now();
    this.choices.replaceChildren(...(question ? this.offered(question) : this.waiting()));
    this.choices.scrollTop = 0;
    if (!question || before || this.shownAt - this.answeredAt < OWN) return;
    const first = this.news.querySelector(":scope > p:not(.old)");
    if (first) this.news.scrollTop = first.offsetTop - this.news.offsetTop;
    this.called();
  }

  waiting() {
    if (this.stage !== "lobby") return [];
    const ready = button(this.texts.ready, () => { if (this.send({ type: "ready" })) ready.remove(); });
    ready.id = "ready";
    return [ready];
  }

  offered(question) {
    const several = question.ticking && (question.least !== 1 || question.most !== 1);
    const answer = (values) => this.answer(question, values);
    const open = question.choices.filter((one) => one.id);
    const shown = open.map((one) => this.choice(one, several, () => answer({ choices: [one.id] })));
    const asked = question.least === question.most ? question.least : `${question.least}-${question.most}`;
    if (several) shown.push(button(`${this.texts.choose} (${asked})`, () => answer({ choices: this.ticked() })));
    if (question.end) shown.push(button(question.end, () => answer({})));
    if (question.back) shown.push(button(this.texts.back, () => answer({ back: true })));
    const barred = question.choices.filter((one) => !one.id);
    return [...question.before.filter(Boolean).map((text) => made("p", text)), ...shown, ...question.after.map((text) => made("p", text)),
      ...(barred.length ? [this.barred(barred)] : [])];
  }

  choice(choice, several, chosen) {
    const ticks = () => shown.setAttribute("aria-pressed", shown.getAttribute("aria-pressed") !== "true");
    const shown = button(choice.text, several ? ticks : chosen);
    shown.value = choice.id;
    shown.dataset.kind = choice.kind;
    shown.dataset.about = choice.about;
    if (several) shown.setAttribute("aria-pressed", "false");
    return shown;
  }

  barred(choices) {
    const shown = made("details");
    shown.append(made("summary", `${this.texts.barred} (${choices.length})`), ...choices.map((one) => made("p", one.text)));
    return shown;
  }

  ticked() { return [...this.choices.querySelectorAll("[aria-pressed=true]")].map((one) => Number(one.value)); }

  // The second tap of a double tap may meet the next question, which has just appeared under the finger.
  answer(question, values) {
    if (performance.now() - this.shownAt < SETTLE) return this.notice(this.texts.changed);
    if (values.choices && !values.choices.length) return this.notice(this.texts.none);
    this.answeredAt = performance.now();
    this.send({ type: "answer", question: question.id, ...values });
  }

  // Explanations: a tap on a card, a long press on a choice

  listen(area) {
    const stop = () => clearTimeout(this.pressing);
    area.addEventListener("pointerdown", (event) => {
      const on = event.target.closest("[data-about]");
      stop();
      this.pressed = 0;
      if (on) this.pressing = setTimeout(() => { this.pressed = 1; this.about(on.dataset.about, on.textContent); }, LONG);
    });
    for (const kind of ["pointerup", "pointercancel"]) area.addEventListener(kind, stop, true);
    area.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-about]")) event.preventDefault(); });
    area.addEventListener("click", (event) => {
      if (this.pressed && event.target.closest("[data-about]")) event.stopPropagation(), event.preventDefault();
      this.pressed = 0;
    }, true);
  }

  about(key, text) {
    if (key) this.send({ type: "about", key });
    else this.show([text, this.texts.unexplained]);
  }

  // The sheet above the page

  show(lines, buttons = []) {
    byId("shown").replaceChildren(...lines.map((line) => made("p", line)), ...buttons);
    if (!this.sheet.open) this.sheet.showModal();
    this.sheet.scrollTop = 0;
  }

  menu() {
    const views = ["log", "who", "cast", ...(this.board && this.board.common ? ["city", "pile"] : []), "keys", "help"];
    const ask = (what) => button(this.texts[what], () => { this.sheet.close(); this.send({ type: "show", what }); });
    const commands = this.commands().map(([text, work]) => button(text, () => { this.sheet.close(); work(); }));
    const leave = button(this.texts.leave, () => this.confirm());
    leave.id = "leave";
    this.show([], [...views.map(ask), ...commands, leave]);
  }

  confirm() {
    const sure = button(this.texts.leave, () => { this.sheet.close(); this.send({ type: "leave" }); });
    sure.id = "sure";
    this.show([this.texts.sure], [sure]);
  }

  // Chat, or a command after a slash

  submit(event) {
    event.preventDefault();
    const text = this.line.value.trim(), question = this.question ? this.question.id : 0;
    if (!text) return;
    const said = text.startsWith("/") ? { type: "line", text: text.slice(1), question } : { type: "say", text };
    if (this.send(said)) this.line.value = "";
  }
}

function made(name, text = "", kind = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function button(text, pressed) {
  const element = made("button", text);
  element.type = "button";
  element.onclick = pressed;
  return element;
}
