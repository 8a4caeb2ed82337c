/** Reading messages and following events over HTTP. */
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { Fault } from '@bravo/faults';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import { ORCHESTRATOR } from '../conversations/conversations.http.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { takesEvents } from '../turn-streams/accept-header.ts';
import type { FollowConversation } from '../turn-streams/follow-conversation.ts';
import { type StreamOptions, writeEvents } from '../turn-streams/write-events.http.ts';
import { FOLLOW_EVENTS, LIST_MESSAGES } from './message-routes.ts';

export const FOLLOW_CONVERSATION = Symbol('follow-conversation');
export const STREAM_OPTIONS = Symbol('stream-options');

@Controller()
export class MessagesController {
  readonly #orchestrator: Orchestrator;
  readonly #follow: FollowConversation;
  readonly #options: StreamOptions;
  constructor(
    @Inject(ORCHESTRATOR) orchestrator: Orchestrator,
    @Inject(FOLLOW_CONVERSATION) follow: FollowConversation,
    @Inject(STREAM_OPTIONS) options: StreamOptions,
  ) {
    this.#orchestrator = orchestrator;
    this.#follow = follow;
    this.#options = options;
  }

  @Serve(LIST_MESSAGES)
  async listMessages(@TheCaller() caller: Caller, @Checked() { params, query }: Input<typeof LIST_MESSAGES>) {
    const page = { limit: query.limit, cursor: query.cursor };
    const { messages, nextCursor } = await this.#orchestrator.listMessages(
      subjectOf(caller),
      params['cid'] ?? '',
      page,
    );
    return { messages, next_cursor: nextCursor };
  }

  @Serve(FOLLOW_EVENTS)
  async followEvents(
    @TheCaller() caller: Caller,
    @Checked() { params, query }: Input<typeof FOLLOW_EVENTS>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const conversationId = params['cid'] ?? '';
    const lastEventId = request.headers['last-event-id'];
    const followed = await this.#follow(subjectOf(caller), conversationId, {
      lastEventId: Array.isArray(lastEventId) ? lastEventId[0] : lastEventId,
      after: query.after,
    });
    if (!takesEvents(request.headers.accept)) {
      throw new Fault('not_acceptable', 'This address answers with text/event-stream only.');
    }
    await writeEvents(reply, { conversationId, ...followed }, this.#options);
  }
}
