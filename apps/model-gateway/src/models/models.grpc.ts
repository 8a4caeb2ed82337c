/** ModelsService for the other services. Workspace and person are the principal's, never an argument. */
import type { AccessTable, Handlers, Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { ChoiceOwner } from '../choices/choice-store.ts';
import type { ChooseModel } from '../choices/choose-model.ts';
import type { InstructionStore } from '../contexts/instruction-store.ts';
import type { ReadContext } from '../contexts/read-context.ts';
import type { SummariseRecord } from '../contexts/summarise-record.ts';
import type { PutChoice } from '../choices/put-choice.ts';
import type { RunIsolated } from '../isolated-calls/run-isolated.ts';
import type { ModelMessage } from '../providers/model-provider.port.ts';
import type { ReadAllowance } from '../quotas/read-allowance.ts';
import { searchModels } from '../rosters/roster.ts';
import type { ListUsage } from '../usage/list-usage.ts';

export const MODELS_ACCESS: AccessTable<typeof ModelsServiceService> = {
  listModels: ['gateway'],
  listTokenUsage: ['gateway'],
  getModelChoice: ['gateway'],
  putModelChoice: ['gateway'],
  runIsolated: ['broker'],
  summarise: ['orchestrator'],
  putInstructions: ['orchestrator'],
  getContext: ['gateway', 'orchestrator'],
  forgetConversation: ['orchestrator'],
  getAllowance: ['gateway', 'broker'],
  grantCredits: ['operator'],
};

export interface ModelsUse {
  readonly chooseModel: ChooseModel;
  readonly putChoice: PutChoice;
  readonly runIsolated: RunIsolated;
  readonly listUsage: ListUsage;
  readonly readAllowance: ReadAllowance;
  readonly readContext: ReadContext;
  readonly summariseRecord: SummariseRecord;
  readonly instructions: InstructionStore;
  readonly grantCredits: (workspaceId: string, reference: string, credits: number) => Promise<boolean>;
}

const ISOLATED_OUTPUT = 4_096;

export const createModelsHandlers = (use: ModelsUse): Handlers<typeof ModelsServiceService> => ({
  listModels: async ({ search }, { principal }) => {
    const { roster, view } = await use.chooseModel(ownerOf(principal));
    return {
      models: searchModels(roster.models, search).map((model) => ({
        id: model.id,
        provider: model.service,
        providerLabel: model.serviceLabel,
        label: model.label,
        demo: model.demo,
        contextTokens: model.contextTokens ?? 0,
        outputTokens: model.outputTokens ?? 0,
        effort: model.effort,
      })),
      defaultModel: roster.automatic?.id ?? '',
      services: roster.services.map(({ id, label, stale, problem }) => ({ id, label, stale, problem })),
      notes: view.providers.notes.map(({ key, text }) => `${key}: ${text}`),
    };
  },
  listTokenUsage: async ({ from, to }, { principal }) => {
    const rows = await use.listUsage(ownerOf(principal).workspaceId, { from, to });
    return {
      rows: rows.map((row) => ({
        ...row,
        inputTokens: row.inputTokens,
        outputTokens: row.outputTokens,
        requests: row.requests,
        costMicros: row.costMicros,
        credits: row.credits,
        failed: row.failed,
      })),
    };
  },
  getModelChoice: async ({ conversationId }, { principal }) => {
    const { choices, targets, decidedBy, effort, roster } = await use.chooseModel(ownerOf(principal, conversationId));
    const [chosen] = targets;
    return {
      conversation: { ...choices.conversation },
      person: { ...choices.person },
      workspace: { ...choices.workspace },
      effectiveModel: chosen.id,
      effectiveLabel: roster.describe(chosen)?.label ?? chosen.label,
      decidedBy,
      effectiveEffort: effort ?? '',
      effortSent: effort !== undefined && chosen.effort !== 'unread',
    };
  },
  putModelChoice: async ({ scope, conversationId, model, effort }, { principal }) => {
    const mayConfigure =
      principal.permissions.includes('workspace:configure') && principal.permissions.includes('manage_members');
    await use.putChoice(ownerOf(principal, conversationId), { scope, model, effort }, mayConfigure);
    return {};
  },
  runIsolated: async ({ instruction, inputs, maxOutputTokens, conversationId }, { principal, signal }) => {
    const owner = ownerOf(principal, conversationId);
    const caller = { ...owner, rootConversationId: conversationId, podId: '' };
    const bound = maxOutputTokens > 0 ? maxOutputTokens : ISOLATED_OUTPUT;
    const named = inputs.map(({ name, content, mediaType, picture }) => ({
      name,
      content,
      ...(mediaType === '' ? {} : { picture: { mediaType, bytes: picture } }),
    }));
    const result = await use.runIsolated(caller, { instruction, inputs: named, maxOutputTokens: bound, signal });
    return { ...result, inputTokens: result.inputTokens, outputTokens: result.outputTokens };
  },
  putInstructions: async ({ conversationId, version, digest, text }, { principal }) => {
    const { workspaceId } = ownerOf(principal, conversationId);
    await use.instructions.put({ workspaceId, conversationId, version, digest, text });
    return {};
  },
  getContext: async ({ conversationId }, { principal }) => {
    const { budget, lastTokens, lastMeasured } = await use.readContext(ownerOf(principal, conversationId));
    return {
      model: budget.model,
      label: budget.label,
      windowTokens: budget.windowTokens,
      windowAssumed: budget.assumed,
      budgetTokens: budget.budgetTokens,
      setting: budget.setting,
      summarises: budget.summarises,
      lastTokens,
      lastMeasured,
    };
  },
  summarise: async ({ conversationId, earlier, messages }, { principal, signal }) => {
    const owner = ownerOf(principal, conversationId);
    const said = messages.map(({ role, content }): ModelMessage =>
      role === 'assistant' ? { role, content, toolCalls: [] } : { role: 'user', content },
    );
    const { model, ...summary } = await use.summariseRecord(owner, { earlier, messages: said }, signal);
    return { ...summary, model };
  },
  forgetConversation: async ({ conversationId }, { principal }) => {
    await use.instructions.forget(ownerOf(principal).workspaceId, conversationId);
    return {};
  },
  getAllowance: async ({ conversationId }, { principal }) => {
    const { account, limits, resetsAt } = await use.readAllowance(ownerOf(principal, conversationId));
    return {
      plan: account.plan,
      unlimited: account.unlimited,
      planGranted: account.planGranted,
      planUsed: account.planUsed,
      trialGranted: account.trialGranted,
      trialUsed: account.trialUsed,
      purchasedGranted: account.purchasedGranted,
      purchasedUsed: account.purchasedUsed,
      reserved: account.reserved,
      resetsAt,
      limits: limits.map((limit) => ({
        name: limit.name,
        limit: limit.bound,
        used: limit.used,
        reserved: limit.reserved,
        resetsAt: limit.resetsAt,
      })),
    };
  },
  grantCredits: async ({ workspaceId, credits, reference }) => {
    const amount = Number(credits);
    if (workspaceId === '' || reference === '' || !Number.isSafeInteger(amount) || amount < 1)
      throw new Fault('invalid_argument', 'Name the workspace, a reference and a whole number of credits above zero.');
    return { granted: await use.grantCredits(workspaceId, reference, amount) };
  },
});

function ownerOf({ workspaceId, userId }: Pick<Principal, 'workspaceId' | 'userId'>, conversationId = ''): ChoiceOwner {
  if (workspaceId === '') throw new Fault('permission_denied', 'Models are of one workspace, and the call names none.');
  return { workspaceId, userId, conversationId };
}
