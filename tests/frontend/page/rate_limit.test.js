// Doing something often, but never too often, and never leaving the last wish undone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { RateLimit } from "../../../frontend/page/rate_limit.js";
import { generator } from "../random.js";

/** A clock that a test moves. */
function clockwork() {
  let time = 0;
  let waiting = [];
  return {
    now: () => time,
    later: (run, ms) => waiting.push({ run, at: time + ms }),
    pass(ms) {
      for (const end = time + ms; time < end; ) {
        time += 1;
        const due = waiting.filter(({ at }) => at <= time);
        waiting = waiting.filter(({ at }) => at > time);
        for (const { run } of due) run();
      }
    },
  };
}

test("what is wanted now and then is done at once", () => {
  const clock = clockwork();
  let done = 0;
  const pace = new RateLimit(() => (done += 1), { burst: 2, every_ms: 100 }, clock);
  for (let wish = 1; wish <= 5; wish += 1) {
    pace.request();
    assert.equal(done, wish);
    clock.pass(100);
  }
});

test("however it is wanted, the allowance holds and the last wish is always done soon", () => {
  const allowance = { burst: 20, every_ms: 400 };
  const random = generator(11);
  for (let round = 0; round < 5; round += 1) {
    const clock = clockwork();
    let wanted = 0;
    const times = [];
    let last = 0;
    const act = () => {
      times.push(clock.now());
      last = wanted;
    };
    const pace = new RateLimit(act, allowance, clock);
    for (let wish = 0; wish < 1000; wish += 1) {
      wanted += 1;
      pace.request();
      clock.pass(random.below(random.pick([5, 50, 300])));
    }
    clock.pass(401);
    assert.equal(last, wanted);
    times.forEach((from, at) => {
      const within = times.slice(at).filter((time) => time < from + 30_000).length;
      assert.ok(within < 100, `${within} times in 30 seconds`);
    });
  }
});
