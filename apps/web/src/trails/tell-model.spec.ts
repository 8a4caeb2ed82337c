import { describe, expect, it } from '@jest/globals';
import { tellEntry } from './tell-entry.ts';

const told = (model: string, effort: string): string =>
  tellEntry(
    {
      ...{
        index: 0,
        leaf_hash: '',
        event_id: 'evt_1',
        type: 'agent.model.chosen',
        actor: 'user:usr_a',
        producer: 'models',
      },
      ...{ time: '2026-11-30T10:00:00Z', data: { scope: 'conversation', model, effort } },
    },
    () => 'Alice',
  ).title;

describe('a choice of a model on the trail', () => {
  it.each([
    ['x/big', 'high', 'Alice chose the model x/big with high effort'],
    ['x/big', '', 'Alice chose the model x/big'],
    ['', 'low', 'Alice chose low effort'],
    ['', '', 'Alice took the choice of a model back'],
  ])('%s %s', (model, effort, sentence) => expect(told(model, effort)).toBe(sentence));
});
