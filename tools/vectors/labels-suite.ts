/** Replays the labels suite through the library. Guarantees that every origin of a case is a source or a rule of the library; an origin nobody knows fails. */
import type { Label, PathTrust, Source } from '@bravo/policy';
import {
  capabilityLabel,
  degradesTo,
  firstLabel,
  flowsTo,
  INTEGRITY_OF_NAMED_FILE,
  isAdmissible,
  labelResult,
  relabel,
  taint,
  TRUSTED_PRIVATE,
  TRUSTED_PUBLIC,
  UNTRUSTED_PRIVATE,
  UNTRUSTED_PUBLIC,
} from '@bravo/policy';
import { caseOf } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { type Replay, suiteOf } from './suite.ts';

const labels: Readonly<Record<string, Label>> = {
  'T-pub': TRUSTED_PUBLIC,
  'T-priv': TRUSTED_PRIVATE,
  'U-pub': UNTRUSTED_PUBLIC,
  'U-priv': UNTRUSTED_PRIVATE,
};
const label = z.enum(['T-pub', 'T-priv', 'U-pub', 'U-priv']).transform((name) => labels[name] as Label);

const given = z.strictObject({
  capability: z.string().optional(),
  vouched: z.union([z.boolean(), z.number()]).optional(),
  paths: z.number().optional(),
  steps: z.number().optional(),
  vouchedOrProven: z.number().optional(),
  input: label.optional(),
  inputs: z.array(label).optional(),
  contextIntegrity: z.enum(['T', 'U']).optional(),
  privateReleased: z.boolean().optional(),
  workspaceReads: z.number().optional(),
  questions: label.optional(),
  slot: label.optional(),
  approved: z.boolean().optional(),
  byRule: z.boolean().optional(),
});
type Given = z.infer<typeof given>;

const relation = { from: label, to: label, holds: z.boolean() };
const firstRow = caseOf('first', {
  origin: z.string(),
  given: given.optional(),
  label: label.nullable().optional(),
  integrity: z.enum(['T', 'U']).optional(),
  quarantined: z.boolean().optional(),
});
export const labelRows = z.discriminatedUnion('kind', [
  caseOf('flows_to', relation),
  caseOf('degrades_to', relation),
  caseOf('relabel', { from: label, to: label, result: label.nullable() }),
  caseOf('taint', { inputs: z.array(label), result: label }),
  caseOf('admissible', { field: z.enum(['routing', 'content', 'decision']), label, allowed: z.boolean() }),
  firstRow,
]);

/** Rows that name no value of ours: what a capability, a paste or an interjection observes is recorded, not labelled. */
const UNLABELLED = ['pasted text or picture', 'interjection'];

function sourceOf(origin: string, row: Given): Source {
  const trust = row.vouched === true ? 'trusted' : 'unmentioned';
  const names = Array.from({ length: row.paths ?? 0 }, (_, at): PathTrust =>
    at < Number(row.vouched) ? 'trusted' : 'unmentioned',
  );
  switch (origin) {
    case 'workspace file':
      return { kind: 'workspace_file', trust };
    case 'listing names':
    case 'search result':
      return { kind: 'path_names', trusts: names };
    case 'program output':
      return { kind: 'program_output', everyStepVouchedOrProven: row.vouchedOrProven === row.steps };
    case 'pure filter output':
      return { kind: 'pure_filter', inputs: row.input ? [row.input] : [] };
    case 'line the user typed to run':
      return { kind: 'typed_line' };
    case 'piped standard input':
      return { kind: 'piped_input' };
    case "user's own configuration or home skill":
      return { kind: 'own_configuration' };
    case "planner's words":
      return {
        kind: 'planner_words',
        context: {
          integrity: row.contextIntegrity === 'T' ? 'trusted' : 'untrusted',
          holdsPrivate: row.privateReleased !== false,
        },
      };
    case "user's typed answer":
      return { kind: 'typed_answer', questions: row.questions ? [row.questions] : [] };
    case 'processor output':
      return { kind: 'processor_output', inputs: row.inputs ?? [] };
    case 'bytes a person vouched for':
      return { kind: 'vouched_bytes' };
    case 'approved MCP tool list':
      return { kind: 'accepted_tool_list' };
    case 'fetched page':
      return { kind: 'fetched_page' };
    case 'message from another process without a label':
      return { kind: 'unlabelled' };
    default:
      throw new Error(`no source for "${origin}"`);
  }
}

/** A language server's row is about quarantine: a location is structure, its text follows the map, hover is nobody's. */
function isQuarantined(origin: string): boolean {
  const result = {
    inputs: [],
    proven: false,
    trustOutput: false,
    trustOutputOffered: false,
    alwaysQuarantined: false,
  } as const;
  switch (origin) {
    case 'language server location':
      return labelResult({ ...result, rule: { kind: 'fixed', label: TRUSTED_PRIVATE }, paths: [] }).kind === 'slot';
    case 'language server text at a location':
      return labelResult({ ...result, rule: { kind: 'paths' }, paths: ['unmentioned'] }).kind === 'slot';
    case 'language server hover':
      return labelResult({ ...result, rule: { kind: 'fixed', label: UNTRUSTED_PRIVATE }, paths: [] }).kind === 'slot';
    case 'picture in the workspace':
      return (
        labelResult({ ...result, rule: { kind: 'paths' }, paths: ['trusted'], alwaysQuarantined: true }).kind === 'slot'
      );
    default:
      throw new Error(`no quarantine row for "${origin}"`);
  }
}

export const labelsSuite = suiteOf({
  name: 'labels',
  rows: labelRows,
  replay: (row): Replay => {
    switch (row.kind) {
      case 'flows_to':
        return { expected: row.holds, actual: flowsTo(row.from, row.to) };
      case 'degrades_to':
        return { expected: row.holds, actual: degradesTo(row.from, row.to) };
      case 'relabel':
        return { expected: row.result, actual: relabel(row.from, row.to) ?? null };
      case 'taint':
        return { expected: row.result, actual: taint(row.inputs) };
      case 'admissible':
        return { expected: row.allowed, actual: isAdmissible(row.field, row.label) };
      case 'first':
        return replayFirst(row);
    }
  },
});

function replayFirst({
  origin,
  given: row = {},
  label: first,
  integrity,
  quarantined,
}: z.output<typeof firstRow>): Replay {
  if (quarantined !== undefined) return { expected: quarantined, actual: isQuarantined(origin) };
  if (integrity !== undefined) {
    return { expected: integrity === 'T' ? 'trusted' : 'untrusted', actual: INTEGRITY_OF_NAMED_FILE };
  }
  if (origin === 'capability observation') {
    return { expected: first, actual: capabilityLabel(row.capability ?? '') ?? null };
  }
  if (UNLABELLED.includes(origin)) return { expected: first, actual: null };
  return { expected: first, actual: firstLabel(sourceOf(origin, row)) };
}
