/** Small controls that several pages share. */

import { h, type Child } from './dom.ts';

export interface Option<T extends string> {
  value: T;
  label: Child | Child[];
  hint?: string;
}

/** A row of choices as radio buttons, so that arrow keys work. */
export function choices<T extends string>(
  name: string,
  legend: string,
  options: readonly Option<T>[],
  value: T,
  change: (value: T) => void,
  look = 'segments',
): HTMLFieldSetElement {
  const made = options.map((option) => {
    const input = h('input', { type: 'radio', name, value: option.value, on: { change: () => change(option.value) } });
    input.checked = option.value === value;
    return h('label', { title: option.hint }, input, h('span', null, ...[option.label].flat()));
  });
  return h('fieldset', { class: look }, h('legend', null, legend), made);
}

/** A drop-down list with its label. */
export function select<T extends string>(
  label: string,
  options: readonly (readonly [T, string])[],
  value: T,
  change: (value: T) => void,
): HTMLLabelElement {
  const list = h('select', { on: { change: () => change(list.value as T) } });
  for (const [id, text] of options) {
    const option = h('option', { value: id }, text);
    option.selected = id === value;
    list.append(option);
  }
  return h('label', { class: 'field' }, h('span', null, label), list);
}

/** A switch with its label. */
export function toggle(
  label: string,
  value: boolean,
  change: (value: boolean) => void,
  disabled = false,
): HTMLLabelElement {
  const input = h('input', { type: 'checkbox', disabled, on: { change: () => change(input.checked) } });
  input.checked = value;
  return h('label', { class: 'switch' }, input, h('span', null, label));
}

/** A text field with its label. */
export function textField(label: string, props: Record<string, unknown>): HTMLLabelElement {
  return h(
    'label',
    { class: 'field' },
    h('span', null, label),
    h('input', { type: 'text', autocomplete: 'off', ...props }),
  );
}
