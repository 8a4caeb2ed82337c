/** Orchestrator, broker, models and audit as small real gRPC servers: they keep conversations in memory and publish what a spec tells them to. */
import type { CallContext, GrpcServer } from '@bravo/chassis';
import { type Bus, publishTurnEvent, turnSubject, type TurnEvent } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { AuditServiceService } from '@bravo/proto/audit';
import { BrokerServiceService, type Approval } from '@bravo/proto/broker';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService, type Conversation, type Message } from '@bravo/proto/orchestrator';

interface Turn {
  readonly id: string;
  status: string;
  readonly user: Message;
  assistant: Message | undefined;
  readonly position: string;
}

const id = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(26, '0')}`;

/** One question told twice is the same one. */
const ASKED_AT = new Date('2026-11-01T00:00:00Z');

export class StandIns {
  readonly conversations = new Map<string, Conversation>();
  readonly turns = new Map<string, Turn>();
  readonly byKey = new Map<string, string>();
  readonly choices = new Map<string, { model: string; effort: string }>();
  /** Called for every new turn: the script of the spec. */
  onTurn: (conversation: Conversation, turn: Turn) => Promise<void> = async () => undefined;
  /** What the broker was told, by method. */
  readonly asked: { method: string; request: unknown; userId: string; permissions: readonly string[] }[] = [];
  readonly #bus: Bus;
  #count = 0;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  publish(conversation: Conversation, event: TurnEvent): Promise<number> {
    this.#count += 1;
    return publishTurnEvent(this.#bus, conversation.workspaceId, conversation.id, event, `spec-${this.#count}`);
  }

  /** Streams an answer and ends the turn with it. */
  async answer(conversation: Conversation, turn: Turn, content: string): Promise<void> {
    const messageId = id('msg', (this.#count += 1));
    await this.publish(conversation, {
      event: 'message_start',
      data: { id: messageId, role: 'assistant' },
      turn_id: turn.id,
    });
    let offset = 0;
    for (const delta of content.match(/.{1,4}/gsu) ?? []) {
      await this.publish(conversation, { event: 'content_delta', data: { delta, offset }, turn_id: turn.id });
      offset += delta.length;
    }
    turn.assistant = this.#message(conversation, turn.id, 'assistant', content, messageId);
    turn.status = 'completed';
    await this.publish(conversation, {
      event: 'message_end',
      data: { id: messageId, usage: { input_tokens: 1, output_tokens: 2 } },
      turn_id: turn.id,
    });
  }

  addTo({
    orchestratorServer,
    brokerServer,
    modelsServer,
    auditServer,
  }: Record<'orchestratorServer' | 'brokerServer' | 'modelsServer' | 'auditServer', GrpcServer>): void {
    const everyMethod = <S extends object>(definition: S) =>
      Object.fromEntries(Object.keys(definition).map((name) => [name, ['gateway']])) as never;
    const rest = <S extends object>(definition: S, handlers: object) =>
      ({
        ...Object.fromEntries(
          Object.keys(definition).map((name) => [
            name,
            () => Promise.reject(new Fault('not_implemented', `${name} has no stand-in.`)),
          ]),
        ),
        ...handlers,
      }) as never;
    orchestratorServer.addService(
      OrchestratorServiceService,
      rest(OrchestratorServiceService, this.#orchestrator()),
      everyMethod(OrchestratorServiceService),
    );
    brokerServer.addService(
      BrokerServiceService,
      rest(BrokerServiceService, this.#broker()),
      everyMethod(BrokerServiceService),
    );
    modelsServer.addService(
      ModelsServiceService,
      rest(ModelsServiceService, {
        listTokenUsage: async (_: unknown, { principal }: CallContext) => ({
          rows: [
            {
              day: '2026-11-01',
              userId: principal.userId,
              model: 'demo',
              inputTokens: 10,
              outputTokens: 5,
              requests: 1,
              ...{ conversationId: 'cnv_1', costMicros: 0, credits: 0, failed: 0 },
            },
            {
              ...{
                day: '2026-11-02',
                userId: 'usr_other',
                model: 'x/big',
                inputTokens: 100,
                outputTokens: 50,
                requests: 2,
              },
              ...{ conversationId: 'cnv_2', costMicros: 1_500_000, credits: 150, failed: 1 },
            },
          ],
        }),
        getAllowance: async () => ({
          ...{ plan: 'team', unlimited: false, planGranted: 1_000, planUsed: 150, trialGranted: 0, trialUsed: 0 },
          ...{ purchasedGranted: 0, purchasedUsed: 0, reserved: 0, resetsAt: new Date('2026-12-01T00:00:00Z') },
          limits: [
            {
              name: 'personDailyTokens',
              limit: 500,
              used: 15,
              reserved: 0,
              resetsAt: new Date('2026-12-01T00:00:00Z'),
            },
          ],
        }),
        listModels: async ({ search }: { search: string }) => ({
          models: [
            {
              ...{
                id: 'x/big',
                provider: 'x',
                providerLabel: 'X',
                label: `Big ${search}`,
                demo: false,
                effort: 'read',
              },
              ...{ contextTokens: 1_000, outputTokens: 0 },
            },
          ],
          ...{ defaultModel: 'x/big', notes: ['provider.y: no address'] },
          services: [{ id: 'x', label: 'X', stale: true, problem: 'It did not answer.' }],
        }),
        getModelChoice: async (request: { conversationId: string }, { principal }: CallContext) => ({
          conversation: this.choices.get(request.conversationId),
          person: this.choices.get(principal.userId),
          workspace: undefined,
          ...{
            effectiveModel: 'x/big',
            effectiveLabel: 'Big',
            decidedBy: 'automatic',
            effectiveEffort: '',
            effortSent: false,
          },
        }),
        putModelChoice: async (
          request: { scope: string; conversationId: string; model: string; effort: string },
          { principal }: CallContext,
        ) => {
          const { scope, conversationId, model, effort } = request;
          this.asked.push({
            method: 'putModelChoice',
            request,
            userId: principal.userId,
            permissions: principal.permissions,
          });
          this.choices.set(scope === 'conversation' ? conversationId : principal.userId, { model, effort });
          return {};
        },
      }),
      everyMethod(ModelsServiceService),
    );
    auditServer.addService(
      AuditServiceService,
      rest(AuditServiceService, {
        listEntries: async (request: { conversationId: string }) => ({
          entries: [],
          page: { nextCursor: request.conversationId },
        }),
        verifyLog: async () => ({
          ok: true,
          size: 3,
          checkpointSize: 3,
          checkpoint: '',
          firstBadIndex: -1,
          problem: '',
          gaps: [],
          verifierKey: '',
          first: 0,
        }),
      }),
      everyMethod(AuditServiceService),
    );
  }

  #own(conversationId: string, { principal }: CallContext): Conversation {
    const conversation = this.conversations.get(conversationId);
    if (
      !conversation ||
      conversation.userId !== principal.userId ||
      conversation.workspaceId !== principal.workspaceId
    ) {
      throw new Fault('not_found', 'There is no such conversation.');
    }
    return conversation;
  }

  #message(conversation: Conversation, turnId: string, role: string, content: string, messageId: string): Message {
    return {
      id: messageId,
      conversationId: conversation.id,
      turnId,
      role,
      content,
      status: 'complete',
      usage: { inputTokens: 1, outputTokens: 2 },
      createdAt: new Date(),
      errorCode: '',
    };
  }

  #orchestrator() {
    return {
      createConversation: async (
        request: { title: string; mode: string; projectId: string },
        { principal }: CallContext,
      ) => {
        const conversation: Conversation = {
          id: id('cnv', (this.#count += 1)),
          workspaceId: principal.workspaceId,
          userId: principal.userId,
          ...request,
          status: 'active',
          createdAt: new Date(),
          updatedAt: new Date(),
          runningTurnId: '',
          attended: true,
          parentConversationId: '',
          rootConversationId: '',
          delegateName: '',
        };
        this.conversations.set(conversation.id, conversation);
        return { conversation };
      },
      getConversation: async ({ conversationId }: { conversationId: string }, context: CallContext) => ({
        conversation: this.#own(conversationId, context),
        messages: [],
        streamPosition: '0',
      }),
      runTurn: async (
        {
          conversationId,
          content,
          idempotencyKey,
        }: { conversationId: string; content: string; idempotencyKey: string },
        context: CallContext,
      ) => {
        const conversation = this.#own(conversationId, context);
        const known = idempotencyKey ? this.turns.get(this.byKey.get(idempotencyKey) ?? '') : undefined;
        if (known)
          return {
            messageId: known.user.id,
            turnId: known.id,
            streamPosition: known.position,
            queued: false,
            replayed: true,
          };
        const turnId = id('trn', (this.#count += 1));
        const position = String(
          await this.#bus.lastSequence('TURNS', turnSubject(conversation.workspaceId, conversation.id)),
        );
        const user = this.#message(conversation, turnId, 'user', content, id('msg', (this.#count += 1)));
        const turn: Turn = { id: turnId, status: 'running', user, assistant: undefined, position };
        this.turns.set(turnId, turn);
        if (idempotencyKey) this.byKey.set(idempotencyKey, turnId);
        void this.onTurn(conversation, turn);
        return { messageId: user.id, turnId, streamPosition: position, queued: false, replayed: false };
      },
      getTurn: async ({ conversationId, turnId }: { conversationId: string; turnId: string }, context: CallContext) => {
        this.#own(conversationId, context);
        const turn = this.turns.get(turnId);
        if (!turn) throw new Fault('not_found', 'There is no such turn.');
        return { turnId, status: turn.status, userMessage: turn.user, assistantMessage: turn.assistant };
      },
      listContainerUsage: async (_: unknown, { principal }: CallContext) => ({
        rows: [{ day: '2026-11-01', userId: principal.userId, containerSeconds: 1.5 }],
      }),
    };
  }

  #broker() {
    const remember = (method: string, request: unknown, { principal }: CallContext) =>
      this.asked.push({ method, request, userId: principal.userId, permissions: principal.permissions });
    const approval = (request: { conversationId: string; toolCallId: string }, status: string): Approval => ({
      id: id('apr', 1),
      toolCallId: request.toolCallId,
      conversationId: request.conversationId,
      tool: 'execute_script',
      inputJson: '{"language":"python","code":"print(6*7)"}',
      why: '',
      status,
      asks: [{ code: 'require_approval', text: 'The workspace asks for it.' }],
      trustOutputOffered: true,
      callDigest: 'ab'.repeat(32),
      createdAt: ASKED_AT,
      expiresAt: ASKED_AT,
      decidedBy: '',
      decidedAt: undefined,
      grantScopeJson: '{"language":"python"}',
      rememberRule: '',
    });
    return {
      listTools: async () => ({
        tools: ['Read', 'Edit', 'Bash'].map((family) => ({
          ...{ name: family.toLowerCase(), title: family, description: '', effect: 'read', external: false },
          ...{ permission: 'view_content', modes: ['ask'], policyState: 'available', policyReason: '', family },
        })),
      }),
      writeConversationFile: async (request: { path: string; content: Buffer }, context: CallContext) => {
        remember('writeConversationFile', request, context);
        const { path, content } = request;
        const facts = { kind: 'file', revision: 'ab12', landing: '', trust: 'trusted', quarantined: false };
        return { file: { path, size: content.length, ...facts }, created: true };
      },
      resolveApproval: async (
        request: { conversationId: string; toolCallId: string; decision: string },
        context: CallContext,
      ) => {
        this.#own(request.conversationId, context);
        const again = this.asked.some(
          (a) =>
            a.method === 'resolveApproval' && (a.request as { toolCallId: string }).toolCallId === request.toolCallId,
        );
        remember('resolveApproval', request, context);
        if (again) throw new Fault('already_decided', 'It was decided before.');
        return { approval: approval(request, request.decision === 'approve' ? 'approved' : 'denied') };
      },
      listApprovals: async (request: { conversationId: string }, context: CallContext) => {
        remember('listApprovals', request, context);
        return { approvals: request.conversationId ? [approval({ ...request, toolCallId: 'tc_1' }, 'pending')] : [] };
      },
      readSlot: async (request: { conversationId: string; number: number }, context: CallContext) => {
        this.#own(request.conversationId, context);
        return {
          slot: { number: request.number, origin: 'output', name: 'a.txt', lines: 1, bytes: 3, kind: 'text' },
          content: Buffer.from('42\xff', 'latin1'),
        };
      },
    };
  }
}
