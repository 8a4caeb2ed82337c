/** What every effect may reach: files, programs, models and pages of its own conversation, and how its rules and trust read now. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lookUpTrust } from '@bravo/policy';
import type { Answers } from '../answers/answer.ts';
import type { Identity } from '../access/agent.ts';
import type { ConversationStore } from '../conversations/conversation.ts';
import { trustOfName } from '../conversations/trust-of-names.ts';
import type { AcceptedDefinitions } from '../definitions/definition.ts';
import { createDefinitions } from '../definitions/find-definitions.ts';
import { createRepositoryDefinitions } from '../definitions/repository-definitions.ts';
import type { OpenDelegates } from '../delegates/delegates.ts';
import type { Jobs } from '../jobs/job.ts';
import type { Languages } from '../language-servers/languages.ts';
import type { FetchHop } from '../pages/fetch-hop.ts';
import type { IsolatedModels } from '../processors/isolated-models.ts';
import { findKept } from '../repositories/repository-settings.ts';
import { judgeHop } from '../rules/judge-hop.ts';
import { createReadLayers } from '../rules/layers-of-now.ts';
import { judgeReadDenials } from '../rules/read-denials.ts';
import type { RulesOf } from '../rules/stored-layers.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ScheduleStore } from '../schedules/schedule.ts';
import type { SlotStore } from '../slots/slot.ts';
import type { EffectTools } from './effect.ts';

export interface EffectToolParts {
  readonly conversations: ConversationStore;
  readonly slots: SlotStore;
  readonly jobs: Jobs;
  readonly answers: Answers;
  readonly schedules: Pick<ScheduleStore, 'scheduleNext' | 'watch'>;
  readonly languages: Languages;
  readonly identity: Identity;
  readonly rulesOf: RulesOf;
  readonly sandbox: Sandbox;
  readonly fetchHop: FetchHop;
  readonly models: IsolatedModels;
  readonly acceptedDefinitions: AcceptedDefinitions;
  readonly openDelegates: OpenDelegates;
}

export const createEffectTools = ({
  conversations,
  slots,
  jobs,
  answers,
  schedules,
  languages,
  identity,
  rulesOf,
  sandbox,
  fetchHop,
  models,
  acceptedDefinitions,
  openDelegates,
}: EffectToolParts): EffectTools => {
  const keptLayers = createReadLayers({ identity, findRepository: findKept });
  const keptRules = async (conversationId: string) => {
    const conversation = await conversations.find(conversationId);
    if (conversation === undefined || conversation.config === 'unknown')
      return { rules: 'unknown', attended: false } as const;
    // The call that asks was decided under these layers a moment ago, so what lies among the files is kept by now.
    const who = { ...conversation, conversationId, podId: '', role: '', permissions: [] };
    const { layers, policyVersion } = await keptLayers(conversation, who, conversation.config.policyVersion);
    return { rules: rulesOf(policyVersion, layers), attended: conversation.attended };
  };
  const isReadDenied = async (conversationId: string, paths: readonly string[]) =>
    judgeReadDenials((await keptRules(conversationId)).rules, paths);
  return {
    definitions: createDefinitions({
      ...{ identity, answers: acceptedDefinitions },
      repository: createRepositoryDefinitions({ sandbox, isReadDenied }),
    }),
    sandbox,
    models,
    openDelegates,
    fetchHop,
    judgeHop: async (conversationId: string, url: string) => {
      const { rules, attended } = await keptRules(conversationId);
      return judgeHop(rules, url, attended);
    },
    pause: async (ms: number, signal: AbortSignal): Promise<void> => void (await sleep(ms, undefined, { signal })),
    trustOf: async (conversationId: string, paths: readonly string[], since?: Date) => {
      const map = await conversations.trustMap(conversationId, since);
      return paths.map((path) => lookUpTrust(map, path));
    },
    trustOfNames: async (conversationId: string, paths: readonly string[], since?: Date) => {
      const map = await conversations.trustMap(conversationId, since);
      return paths.map((path) => trustOfName(map, path));
    },
    isReadDenied,
    jobs,
    answers,
    schedules,
    languages,
    readSlot: async (conversationId: string, number: number) => {
      const slot = await slots.find(conversationId, number);
      if (slot === undefined) throw new Error(`the slot ${number} is gone`);
      return slot;
    },
  };
};
