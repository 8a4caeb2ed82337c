/** What a tool call's row holds and how it is read back; an effect that cannot be read back exactly is not carried out. */
import { createHash } from 'node:crypto';
import { type CanonicalCall, canonicalJson, isPermission, type ResultLabelRule } from '@bravo/policy';
import { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import type { BoundEffect } from '../tools/effect.ts';
import type { EffectFacts, JudgedCall } from './tool-call-ledger.ts';
import { type StatedReason, splitWhy } from './tool-call.ts';

export type ToolCallRow = Prisma.ToolCallGetPayload<object>;

const label = z.strictObject({
  integrity: z.enum(['trusted', 'untrusted']),
  confidentiality: z.enum(['public', 'private']),
});
const storedEffect = z.strictObject({
  call: z.record(z.string(), z.unknown()),
  digest: z.string(),
  resultLabel: z.record(z.string(), z.unknown()),
  trustOutputOffered: z.boolean(),
  inputs: z.array(z.strictObject({ name: z.string(), label: z.union([label, z.literal('unknown')]) })),
  contentIntegrity: z.enum(['trusted', 'untrusted']),
  writes: z.array(z.string()),
  who: z.strictObject({ podId: z.string(), role: z.string(), permissions: z.array(z.string()) }),
});
type StoredEffect = z.output<typeof storedEffect>;

export const storeEffect = (
  { request }: JudgedCall,
  { decision, inputs, contentIntegrity, writes }: EffectFacts,
): string => {
  const { podId, role, permissions } = request.agent;
  const stored = {
    call: decision.boundTo.call as unknown as StoredEffect['call'],
    digest: decision.boundTo.digest,
    resultLabel: decision.resultLabel as unknown as StoredEffect['resultLabel'],
    trustOutputOffered: decision.effect === 'ask' && decision.trustOutputOffered,
    inputs: inputs.map(({ name, label: of }) => ({ name, label: of })),
    contentIntegrity,
    writes: [...writes],
    who: { podId, role, permissions: [...permissions] },
  } satisfies StoredEffect;
  return JSON.stringify(stored);
};

/** @throws when the row holds something else than {@link storeEffect} wrote. */
export const readEffect = (
  row: Pick<ToolCallRow, 'id' | 'userId' | 'workspaceId' | 'conversationId' | 'effect'>,
  more: { approvalId: string | undefined; trustOutput: boolean; recovered: boolean },
): { effect: BoundEffect; writes: readonly string[] } => {
  const stored = storedEffect.parse(JSON.parse(row.effect));
  return {
    writes: stored.writes,
    effect: {
      toolCallId: row.id,
      approvalId: more.approvalId,
      who: {
        userId: row.userId,
        workspaceId: row.workspaceId,
        conversationId: row.conversationId,
        podId: stored.who.podId,
        role: stored.who.role,
        permissions: stored.who.permissions.filter(isPermission),
      },
      call: stored.call as unknown as CanonicalCall,
      digest: stored.digest,
      resultLabel: stored.resultLabel as unknown as ResultLabelRule,
      trustOutput: more.trustOutput,
      trustOutputOffered: stored.trustOutputOffered,
      inputs: stored.inputs,
      contentIntegrity: stored.contentIntegrity,
      recovered: more.recovered,
    },
  };
};

export const newRow = (
  call: JudgedCall,
  more: Pick<ToolCallRow, 'status'> & Partial<ToolCallRow>,
): Prisma.ToolCallCreateManyInput => {
  const { agent, tool, arguments: given } = call.request;
  const { input, why } = splitWhy(given);
  return {
    id: call.toolCallId,
    conversationId: agent.conversationId,
    workspaceId: agent.workspaceId,
    userId: agent.userId,
    tool: tool.replaceAll('\u0000', '\u2400').slice(0, 128),
    input: JSON.stringify(input),
    why,
    ...more,
  };
};

/** The event that says what was asked for, without saying what was in it. */
export const requestedData = (call: JudgedCall) => {
  const { input } = splitWhy(call.request.arguments);
  const text = spell(input);
  return {
    tool_call_id: call.toolCallId,
    tool: call.request.tool.slice(0, 128),
    input_digest: sha256(text),
    input_bytes: Buffer.byteLength(text),
  };
};

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Reasons as events carry them. */
export const reasonsData = (reasons: readonly StatedReason[]) =>
  reasons.slice(0, 50).map(({ code, text }) => ({ code: code.slice(0, 64), text: text.slice(0, 2_000) }));

const spell = (input: unknown): string => {
  try {
    return canonicalJson(input);
  } catch {
    return JSON.stringify(input);
  }
};
