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

// A line that breaks between the answer to `sit` and the snapshot: the table is resumed, from the beginning.
session.send("sit", { table: "any" });
const [sit] = session.takeOutgoing();
session.received({ t: "ok", id: sit.id, table: "U", seat: "N" }, 0);
session.lost();
session.opened();
const [again] = session.takeOutgoing();
session.received({ t: "welcome", id: again.id, identity: "i", token: "t", name: "Ada" }, 0);
const [resume] = session.takeOutgoing();
assert.deepEqual([resume.t, resume.table, resume.seq], ["resume", "U", 0]);
