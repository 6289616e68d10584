// @ts-check
/**
 * The front door of the JavaScript client: everything a page or a bot needs, from one file.
 *
 * @module
 */

export { Client, Refused, afterClose } from "./client.js";
export { Session, PROTOCOL, SUBPROTOCOL } from "./session.js";
export { Table } from "./table.js";
export { LAW_FACTS, evolve, newRubber } from "./fold.js";
export { TABLE_FACTS, infoAfter, newInfo } from "./info.js";
export { verifyDeal } from "./deal.js";
export * from "./turns.js";
export * from "./cards.js";
