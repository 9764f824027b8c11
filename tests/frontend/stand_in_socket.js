// A WebSocket that a test opens, feeds and closes by hand.

/** A class of sockets, and all that were made of it. */
export function standInSocket() {
  const sockets = [];
  class StandIn {
    static OPEN = 1;
    readyState = 0;
    sent = [];
    constructor(url) {
      this.url = url;
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    accept() {
      this.readyState = 1;
      this.onopen();
    }
    lose() {
      this.readyState = 3;
      this.onclose();
    }
    say(message) {
      this.onmessage({ data: message instanceof ArrayBuffer ? message : JSON.stringify(message) });
    }
  }
  return { StandIn, sockets };
}
