/** A person's yes, and what they want remembered of it (D8). Guarantees that only the rule the question offered is written, into the person's own settings and nowhere else; a rule that cannot be written never undoes the yes. */
import { Fault, isFault } from '@bravo/faults';
import { type Caller, subjectOf } from '../callers/caller.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Broker } from '../tool-calls/broker.ts';
import type { ApprovalView } from './approval-view.ts';

export interface ApproveParts {
  readonly broker: Pick<Broker, 'resolveApproval' | 'listOpenApprovals'>;
  readonly settings: SettingsStore;
}

type Answer = Parameters<Broker['resolveApproval']>[1];

export interface Approved extends ApprovalView {
  readonly grant_id?: string;
  readonly remembered?: { readonly rule: string; readonly problem: string };
}

export const APPROVE_USE = Symbol('approve-call');

/** Rules of new conversations do not reach this one: there a grant of the longest life stands for it, where one is offered. */
const LONGEST_GRANT_SECONDS = 8 * 60 * 60;
const ATTEMPTS = 4;

/** @throws Fault invalid_argument where nothing can be remembered; then nothing was approved. */
export const createApproveCall =
  ({ broker, settings }: ApproveParts) =>
  async (caller: Caller, answer: Answer, remember: boolean): Promise<Approved> => {
    if (!remember) return broker.resolveApproval(subjectOf(caller), answer);
    const waiting = await broker.listOpenApprovals(subjectOf(caller), answer.conversationId);
    const question = waiting.find(({ tool_call_id: id }) => id === answer.toolCallId);
    const rule = question?.remember_rule ?? '';
    // What does not wait any more is told by the answer itself.
    if (question !== undefined && rule === '')
      throw new Fault(
        'invalid_argument',
        'This call is asked about each time, so there is nothing to remember of it.',
        {
          meta: { field: 'remember' },
        },
      );
    const granted = question?.grant_scope && answer.grantTtlSeconds === undefined;
    const approved = await broker.resolveApproval(subjectOf(caller), {
      ...answer,
      ...(granted ? { grantTtlSeconds: LONGEST_GRANT_SECONDS } : {}),
    });
    return { ...approved, remembered: { rule, problem: await rememberRule(settings, caller, rule) } };
  };

export type ApproveCall = ReturnType<typeof createApproveCall>;

/** @returns why it could not be written; empty where it was. */
const rememberRule = async (settings: SettingsStore, caller: Caller, rule: string): Promise<string> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { text, version } = await settings.read(caller, 'user', '');
      const changed = withRule(text, rule);
      if (changed !== undefined) await settings.replace(caller, 'user', '', changed, version);
      return '';
    } catch (error) {
      if (isFault(error) && error.code === 'version_conflict' && attempt < ATTEMPTS) continue;
      return isFault(error) && error.row.public ? error.detail : 'Your settings could not be written.';
    }
  }
};

/** Undefined where it stands there already. @throws Fault conflict for a document of another shape, which is left as it is. */
const withRule = (text: string, rule: string): string | undefined => {
  const document = JSON.parse(text) as Record<string, unknown>;
  const permissions = document['permissions'] ?? {};
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions)) throw otherShape();
  const allow = (permissions as Record<string, unknown>)['allow'] ?? [];
  if (!Array.isArray(allow)) throw otherShape();
  if (allow.includes(rule)) return undefined;
  return JSON.stringify(
    { ...document, permissions: { ...permissions, allow: [...(allow as unknown[]), rule] } },
    null,
    2,
  );
};

const otherShape = (): Fault =>
  new Fault(
    'conflict',
    'Your settings have no list "permissions.allow" that a rule could be added to. Mend them first.',
  );
