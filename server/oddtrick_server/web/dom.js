// @ts-check
/**
 * A small keyed renderer: a page is a function from what is known to nodes, and only what differs is touched.
 *
 * Nodes keep their place as long as their key does, so focus, scrolling and animations survive every update.
 *
 * @module
 */

/**
 * @typedef {object} Node_
 * @property {string} tag
 * @property {Record<string, any>} props
 * @property {Kid[]} kids
 * @property {string|number|undefined} key
 * @property {Element|Text} [el]
 */
/** @typedef {Node_} Kid */
/** What may stand among the kids of a node, in lists as deep as one likes. @typedef {Node_|string|number|null|undefined|false|any[]} Given */

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "path", "g", "circle", "rect", "text", "ellipse", "line"]);
const TEXT = "#text";

/** @param {Given[]} given @param {Kid[]} out @returns {Kid[]} */
function flat(given, out = []) {
  for (const one of given) {
    if (one === null || one === undefined || one === false || one === "") continue;
    if (Array.isArray(one)) flat(one, out);
    else if (typeof one === "object") out.push(one);
    else out.push({ tag: TEXT, props: { text: String(one) }, kids: [], key: undefined });
  }
  return out;
}

/**
 * A node: `h("button", {class: "big", onclick: go}, "Go")`. `key` tells it from its siblings.
 * @param {string} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Given} kids
 * @returns {Node_}
 */
export function h(tag, props, ...kids) {
  const { key, ...rest } = props ?? {};
  return { tag, props: rest, kids: flat(kids), key };
}

/** @param {Element} el @param {string} name @param {any} value @param {any} before */
function setProp(el, name, value, before) {
  if (name.startsWith("on")) {
    const type = name.slice(2);
    if (before) el.removeEventListener(type, before);
    if (value) el.addEventListener(type, value);
  } else if (name === "vars") {
    for (const [key, one] of Object.entries(value ?? {})) {
      if (before?.[key] !== one) /** @type {HTMLElement} */ (el).style.setProperty(key, one);
    }
  } else if (name === "value" || name === "checked" || name === "open" || name === "data") {
    if (/** @type {any} */ (el)[name] !== value) /** @type {any} */ (el)[name] = value;
  } else if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) {
    el.removeAttribute(name);
  } else {
    el.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  }
}

/** @param {Kid} node @returns {Element|Text} */
function make(node) {
  if (node.tag === TEXT) {
    node.el = document.createTextNode(node.props.text);
    return node.el;
  }
  const el = SVG_TAGS.has(node.tag) ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  node.el = el;
  for (const [name, value] of Object.entries(node.props)) setProp(el, name, value, undefined);
  for (const kid of node.kids) el.append(make(kid));
  return el;
}

/** @param {Kid} before @param {Kid} node */
function patch(before, node) {
  const el = before.el;
  node.el = el;
  if (node.tag === TEXT) {
    if (before.props.text !== node.props.text) /** @type {Text} */ (el).data = node.props.text;
    return;
  }
  const element = /** @type {Element} */ (el);
  for (const name of Object.keys(before.props)) {
    if (!(name in node.props)) setProp(element, name, undefined, before.props[name]);
  }
  for (const [name, value] of Object.entries(node.props)) {
    const was = before.props[name];
    if (was !== value || name === "value" || name === "checked") setProp(element, name, value, was);
  }
  patchKids(element, before.kids, node.kids);
}

/** @param {Element} parent @param {Kid[]} before @param {Kid[]} kids */
function patchKids(parent, before, kids) {
  /** @type {Map<string, Kid>} */
  const old = new Map();
  const counts = new Map();
  /** @param {Kid} kid */
  const nameOf = (kid) => {
    const name = `${kid.tag}/${kid.key ?? ""}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `${name}/${count}`;
  };
  for (const kid of before) old.set(nameOf(kid), kid);
  counts.clear();
  const pairs = kids.map((kid) => {
    const name = nameOf(kid);
    const was = old.get(name);
    old.delete(name);
    return { kid, was };
  });
  // What is gone goes first, so that what stays need not move (a node that moves loses the focus).
  for (const kid of old.values()) kid.el?.remove();
  let next = parent.firstChild;
  for (const { kid, was } of pairs) {
    if (was) {
      patch(was, kid);
      if (kid.el === next) next = next?.nextSibling ?? null;
      else parent.insertBefore(/** @type {globalThis.Node} */ (kid.el), next);
    } else {
      parent.insertBefore(make(kid), next);
    }
  }
}

/**
 * @param {Element} root
 * @returns {(...kids: Given[]) => void} shows these nodes in the root, in place of those before
 */
export function rendererIn(root) {
  /** @type {Kid[]} */
  let shown = [];
  return (...given) => {
    const kids = flat(given);
    patchKids(root, shown, kids);
    shown = kids;
  };
}
