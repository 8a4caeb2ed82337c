/** Conversations over HTTP. Whose they are is decided by the orchestrator from the caller, never from the address. */
import { Controller, Inject } from '@nestjs/common';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import {
  CANCEL_TURN,
  type ConversationDetail,
  type ConversationView,
  CREATE_CONVERSATION,
  END_CONVERSATION,
  GET_CONVERSATION,
  LIST_CONVERSATIONS,
  SET_MODE,
} from './conversation-routes.ts';
import type { Orchestrator } from './orchestrator.ts';
import type { ReadConversation } from './read-conversation.ts';

export const ORCHESTRATOR = Symbol('orchestrator');
export const READ_CONVERSATION = Symbol('read-conversation');

@Controller()
export class ConversationsController {
  readonly #orchestrator: Orchestrator;
  readonly #read: ReadConversation;
  constructor(@Inject(ORCHESTRATOR) orchestrator: Orchestrator, @Inject(READ_CONVERSATION) read: ReadConversation) {
    this.#orchestrator = orchestrator;
    this.#read = read;
  }

  @Serve(CREATE_CONVERSATION)
  async createConversation(
    @TheCaller() caller: Caller,
    @Checked() { body }: Input<typeof CREATE_CONVERSATION>,
  ): Promise<ConversationView> {
    const { project_id: projectId = '', title = '', mode = 'coworker', unattended = false } = body;
    return this.#orchestrator.createConversation(subjectOf(caller), {
      ...{ projectId, title, mode },
      attended: !unattended,
    });
  }

  @Serve(LIST_CONVERSATIONS)
  async listConversations(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof LIST_CONVERSATIONS>) {
    const page = { limit: query.limit, cursor: query.cursor };
    const answer = await this.#orchestrator.listConversations(subjectOf(caller), page, query.user ?? '');
    return { conversations: answer.conversations, next_cursor: answer.nextCursor };
  }

  @Serve(GET_CONVERSATION)
  async getConversation(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof GET_CONVERSATION>,
  ): Promise<ConversationDetail> {
    return this.#read(subjectOf(caller), params['cid'] ?? '');
  }

  @Serve(END_CONVERSATION)
  async endConversation(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof END_CONVERSATION>,
  ): Promise<void> {
    await this.#orchestrator.endConversation(subjectOf(caller), params['cid'] ?? '');
  }

  @Serve(SET_MODE)
  async setMode(
    @TheCaller() caller: Caller,
    @Checked() { params, body }: Input<typeof SET_MODE>,
  ): Promise<ConversationView> {
    return this.#orchestrator.setMode(subjectOf(caller), params['cid'] ?? '', body.mode);
  }

  @Serve(CANCEL_TURN)
  async cancelTurn(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof CANCEL_TURN>) {
    return { cancelled: await this.#orchestrator.cancelTurn(subjectOf(caller), params['cid'] ?? '') };
  }
}
