/** Element helpers without a framework. Text is always set as text: nothing here parses markup. */

export type Child = Node | string | number | null | undefined | false;

type Props = {
  class?: string;
  on?: Record<string, (event: never) => void>;
  [name: string]: unknown;
};

/** Creates an HTML element: attributes, listeners under `on`, then children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props | null = null,
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, props);
  append(element, children);
  return element;
}

/** Creates an SVG element in the same way. */
export function s(tag: string, props: Props | null = null, ...children: (Child | Child[])[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  assign(element, props);
  append(element, children);
  return element;
}

function assign(element: Element, props: Props | null): void {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value as Record<string, EventListener>))
        element.addEventListener(event, listener);
    } else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
}

function append(element: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
}

/** Replaces all children of an element. */
export function fill(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Sets a text only if it changed, so that screen readers announce it once. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** A button in the style of the page. */
export function button(label: Child | Child[], act: () => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...props, on: { click: act } }, ...[label].flat());
}

/** A link inside the page; the router handles the click. */
export const a = (href: string, label: Child | Child[], props: Props = {}): HTMLAnchorElement =>
  h('a', { href, ...props }, ...[label].flat());
