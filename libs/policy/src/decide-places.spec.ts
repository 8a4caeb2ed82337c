import { describe, expect, it } from '@jest/globals';
import { decide } from './decide.ts';
import { factsFor, toolManifest } from './facts.fixture.ts';
import { TRUSTED_PUBLIC, UNTRUSTED_PRIVATE } from './label.ts';

const edit = toolManifest({ name: 'edit_file', effect: 'write', defaultGate: 'every_time', modes: ['coworker'] });
const path = { path: '/w/a.txt', access: 'write', trust: 'trusted', revision: '1' } as const;

describe('where a call lands [edit.trusted]', () => {
  it.each(['untrusted', 'unmentioned'] as const)('refuses an edit of a file that is %s', (trust) => {
    const decision = decide(factsFor(edit, { paths: [{ ...path, trust, edits: true }] }));
    expect(decision).toMatchObject({
      effect: 'deny',
      step: 'routing_integrity',
      reasons: [{ code: 'edit_untrusted' }],
    });
  });

  it('asks about an edit of a vouched file, and about a write over any', () => {
    expect(decide(factsFor(edit, { paths: [{ ...path, edits: true }] })).effect).toBe('ask');
    expect(decide(factsFor(edit, { paths: [{ ...path, trust: 'untrusted' }] })).effect).toBe('ask');
  });
});

describe('where an answer may go [processor.destination]', () => {
  const write = (destination: string | null) =>
    decide(
      factsFor(edit, {
        paths: [path],
        inputs: [{ name: 'ref:3', label: UNTRUSTED_PRIVATE, destination }],
        writesThroughReference: true,
      }),
    );

  it('is asked about where it is the file it was about', () => {
    expect(write('/w/a.txt').effect).toBe('ask');
  });

  it.each([
    ['another file', '/w/b.txt'],
    ['no file at all', null],
  ])('is refused where it was about %s', (_, destination) => {
    expect(write(destination)).toMatchObject({ effect: 'deny', reasons: [{ code: 'wrong_destination' }] });
  });

  it('is nobody’s business where nothing is written', () => {
    const inputs = [{ name: 'ref:3', label: UNTRUSTED_PRIVATE, destination: null }];
    expect(decide(factsFor(toolManifest(), { inputs })).effect).toBe('allow');
  });
});

describe('what asks to be let through [quarantine.release]', () => {
  const vet = toolManifest({
    name: 'vet_content',
    starts: 'question',
    arguments: {
      ref: { class: 'routing', reaches: 'reference' },
      expects: { class: 'content', mustBePublic: true },
      why: { class: 'content' },
    },
    resultLabel: { kind: 'released' },
  });
  const given = { arguments: { ref: 'ref:3' }, inputs: [{ name: 'ref:3', label: UNTRUSTED_PRIVATE }] };

  it('is a person’s to say, and no rule or grant answers it', () => {
    const rules = { deny: [], ask: [], allow: [{ rule: 'Read', layer: 'user' as const }] };
    expect(decide(factsFor(vet, { ...given, rules }))).toMatchObject({
      effect: 'ask',
      step: 'always_ask',
      reasons: [{ code: 'release' }],
    });
    const nobody = decide(factsFor(vet, { ...given, personCanAnswer: false }));
    expect(nobody).toMatchObject({ effect: 'deny', reasons: [{ code: 'nobody_to_ask' }, { code: 'release' }] });
  });

  it('is not asked about where the agent may read it already', () => {
    const inputs = [{ name: 'ref:3', label: { integrity: 'trusted', confidentiality: 'private' } as const }];
    expect(decide(factsFor(vet, { ...given, inputs })).effect).toBe('allow');
  });

  it('sends no private words to the check', () => {
    const labels = { ref: TRUSTED_PUBLIC, expects: { integrity: 'trusted', confidentiality: 'private' } as const };
    const call = { ...given, arguments: { ref: 'ref:3', expects: 'a list' }, argumentLabels: labels };
    expect(decide(factsFor(vet, call))).toMatchObject({ effect: 'deny', reasons: [{ code: 'content_private' }] });
  });

  it('may not be asked of a fallen context', () => {
    const context = { integrity: 'untrusted', holdsPrivate: false } as const;
    expect(decide(factsFor(vet, { ...given, context }))).toMatchObject({
      effect: 'deny',
      reasons: [{ code: 'context_fallen' }],
    });
  });
});
