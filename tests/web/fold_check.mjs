// Reads lines of {start, shown: [{events, view}]} and folds them: prints what differs, or how many events agreed.
import { createInterface } from "node:readline";

import { evolve, newRubber } from "../../client_sdk/oddtrick_sdk/js/oddtrick.js";

/** The same map without what is null, in the order of its keys, so that two can be compared as text. */
function plain(value) {
  if (Array.isArray(value)) return value.map((item) => plain(item) ?? null);
  if (value === null || typeof value !== "object") return value ?? undefined;
  const kept = Object.keys(value)
    .sort()
    .filter((key) => value[key] !== null && value[key] !== undefined);
  return Object.fromEntries(kept.map((key) => [key, plain(value[key])]));
}

let views = [];
let events = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { start, shown } = JSON.parse(line);
  if (start) {
    views = Array.from({ length: 6 }, () => newRubber(start));
    continue;
  }
  for (const [at, { events: facts, view }] of shown.entries()) {
    for (const fact of facts) {
      views[at] = evolve(views[at], fact);
      events += 1;
    }
    const [ours, theirs] = [views[at], view].map((one) => JSON.stringify(plain(one)));
    if (ours !== theirs) {
      console.log(`viewer ${at} after ${JSON.stringify(facts)}\nours   ${ours}\ntheirs ${theirs}`);
      process.exit(1);
    }
  }
}
console.log(`${events} events agree`);
