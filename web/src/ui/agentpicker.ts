/** Selection of an agent and its options. */

import type { AgentInfo, GameKind } from '../state/wire.ts';
import { h } from './dom.ts';

/** A text field with the known agents as suggestions, so that options can be added by hand. */
export function agentField(
  label: string,
  agents: readonly AgentInfo[],
  game: GameKind,
  value: string,
  change: (agent: string) => void,
): HTMLElement {
  const id = `agents-${label.replace(/\W/g, '')}`;
  const able = agents.filter((agent) => agent.games.includes(game));
  const input = h('input', {
    type: 'text',
    value,
    list: id,
    spellcheck: 'false',
    autocomplete: 'off',
    maxlength: 200,
    on: { change: () => change(input.value.trim()) },
  });
  const about = able.find((agent) => agent.name === value.split(':')[0])?.about ?? '';
  return h(
    'label',
    { class: 'field' },
    h('span', null, label),
    input,
    h(
      'datalist',
      { id },
      able.map((agent) => h('option', { value: agent.name }, agent.about)),
    ),
    h('span', { class: 'small muted' }, about),
  );
}
