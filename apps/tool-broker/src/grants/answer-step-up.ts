/** A person grants exactly the call that only the mode stood in the way of. Guarantees that nothing but that call's own scope is granted and that the work goes on once; it must never change the mode. */
import { Fault } from '@bravo/faults';
import type { JsonObject } from '@bravo/policy';
import type { Identity } from '../access/agent.ts';
import type { PersonPrincipal } from '../access/person.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import { missing } from './create-grant.ts';
import type { Grant, NewGrant } from './grant.ts';
import { grantTtl } from './grant-ttl.ts';

export interface StepUpAnswer extends PersonPrincipal {
  readonly conversationId: string;
  readonly toolCallId: string;
  /** 0: what is usual. */
  readonly ttlSeconds: number;
}

/** A call that was refused for its mode. */
export interface SteppedUpCall {
  readonly tool: string;
  /** Absent where no grant can be given for it. */
  readonly grantScope?: JsonObject;
}

export interface StepUps {
  /** Undefined where that person's conversation holds no such refused call. */
  find(answer: Omit<StepUpAnswer, 'ttlSeconds'>): Promise<SteppedUpCall | undefined>;
  /** Gives the grant and asks for a turn, once per call. @throws Fault already_decided, conversation_ended, resource_exhausted */
  answer(grant: NewGrant): Promise<Grant>;
}

export interface AnswerStepUpParts {
  readonly stepUps: StepUps;
  readonly identity: Pick<Identity, 'resolveMember'>;
  readonly catalogue: ToolCatalogue;
  readonly newGrantId: () => string;
  /** Tells the outbox that there is something to send. */
  readonly nudge: () => void;
}

/** @throws Fault not_found, conflict, permission_denied, invalid_argument, already_decided */
export const createAnswerStepUp =
  ({ stepUps, identity, catalogue, newGrantId, nudge }: AnswerStepUpParts) =>
  async ({ ttlSeconds, ...answer }: StepUpAnswer): Promise<Grant> => {
    const call = await stepUps.find(answer);
    if (call === undefined)
      throw new Fault('not_found', 'This conversation has no such call that only the mode stood in the way of.');
    const manifest = catalogue.get(call.tool)?.manifest;
    if (manifest === undefined || call.grantScope === undefined)
      throw new Fault('conflict', 'No grant can be given for this call. Change the mode instead.');
    const seconds = grantTtl(ttlSeconds);
    const { permissions } = await identity.resolveMember(answer.workspaceId, answer.userId);
    if (!permissions.includes(manifest.permission)) throw missing(manifest);
    const grant = await stepUps.answer({
      id: newGrantId(),
      ...answer,
      tool: call.tool,
      scope: call.grantScope,
      source: 'step_up',
      ttlSeconds: seconds,
    });
    nudge();
    return grant;
  };
