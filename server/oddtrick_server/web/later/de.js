// @ts-check
/** @module */
import { EN } from "../en.js";
/** @type {Record<string, string>} */
export const DE = { ...EN };
