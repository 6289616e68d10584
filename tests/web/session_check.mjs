// A table that is too busy to be resumed is asked for again, and given up only when it is gone.
import assert from "node:assert/strict";
import { Session } from "../../client_sdk/oddtrick_sdk/js/session.js";

const session = new Session({ name: "Ada", nonce: "x" });
session.opened();
const [hello] = session.takeOutgoing();
session.rejoin("T");
session.received({ t: "welcome", id: hello.id, identity: "i", token: "t", name: "Ada" }, 0);
const [first] = session.takeOutgoing();
assert.equal(first.t, "resume");
const [busy] = session.received({ t: "refused", id: first.id, code: "busy", retry_after_ms: 300 }, 0);
assert.equal(busy.type, "busy_table");
assert.equal(busy.afterMs, 300);
session.retry("T");
const [second] = session.takeOutgoing();
assert.equal(second.t, "resume");
const [gone] = session.received({ t: "refused", id: second.id, code: "no_such_table" }, 0);
assert.equal(gone.type, "lost_table");
