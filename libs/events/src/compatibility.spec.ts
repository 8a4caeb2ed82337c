import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENTS } from './catalogue.ts';
import { incompatibilities } from './compatibility.ts';
import { type EventSchema, eventSchemas, privacyOf } from './privacy.ts';

const released = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '..', 'released-events.json'), 'utf8'),
) as Record<string, EventSchema>;

describe('the event catalogue', () => {
  it('still means what was released [events.compatible]', () => {
    expect(incompatibilities(released, eventSchemas())).toEqual([]);
  });

  it('has a privacy class for every field of every event', () => {
    expect(Object.keys(eventSchemas()).sort()).toEqual(Object.keys(EVENTS).sort());
    expect(() => privacyOf('favourite_colour')).toThrow(/no privacy class/);
  });

  it.each<[string, (schemas: Record<string, EventSchema>) => void, RegExp]>([
    ['an event that is gone', (now) => delete now['agent.token.minted'], /agent.token.minted is gone/],
    [
      'a field that is gone',
      (now) => delete (now['agent.message.sent']?.properties as Record<string, object>)['bytes'],
      /the field bytes is gone/,
    ],
    [
      'a field of another kind',
      (now) => ((now['agent.message.sent']?.properties as Record<string, object>)['bytes'] = { type: 'string' }),
      /the field bytes is another/,
    ],
    [
      'a new field that is required',
      (now) => (now['agent.message.sent']?.required as string[]).push('mood'),
      /the field mood is required now/,
    ],
  ])('is told of %s', (_what, change, problem) => {
    const now = structuredClone(eventSchemas());
    change(now);
    expect(incompatibilities(released, now)).toEqual([expect.stringMatching(problem)]);
  });

  it('may learn of new events, optional fields and more words', () => {
    const before = structuredClone(eventSchemas());
    delete before['agent.token.minted'];
    delete (before['agent.turn.finished']?.properties as Record<string, object>)['error_code'];
    (before['agent.token.revoked']?.properties['kind'] as { enum: string[] }).enum.pop();
    expect(incompatibilities(before, eventSchemas())).toEqual([]);
  });
});
