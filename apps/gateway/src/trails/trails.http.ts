/** The log over HTTP: whoever may not read all of it reads a conversation of their own, and every member can have it verified. */
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { asksForEvents } from '../turn-streams/accept-header.ts';
import type { ReadTrail, Trail, TrailFilter, VerificationProgress } from './read-trail.ts';
import {
  ERASE_PERSON,
  EXPORT_ENTRIES,
  GET_CHECKPOINT,
  OPEN_CONTENT,
  LIST_ALERTS,
  LIST_ENTRIES,
  VERIFY_LOG,
} from './trail-routes.ts';
import { writeText } from './write-text.http.ts';

export const TRAIL = Symbol('trail');
export const READ_TRAIL = Symbol('read-trail');

const CONTENT_TYPES = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  cloudevents: 'application/jsonl; charset=utf-8',
  ocsf: 'application/jsonl; charset=utf-8',
  cef: 'text/plain; charset=utf-8',
} as const;

@Controller()
export class TrailsController {
  readonly #read: ReadTrail;
  readonly #trail: Trail;
  constructor(@Inject(READ_TRAIL) read: ReadTrail, @Inject(TRAIL) trail: Trail) {
    this.#read = read;
    this.#trail = trail;
  }

  @Serve(LIST_ENTRIES)
  async listEntries(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof LIST_ENTRIES>) {
    const { limit, cursor, order = 'desc' } = query;
    const { entries, nextCursor } = await this.#read(caller, { limit, cursor }, { ...filterOf(query), order });
    return { entries, next_cursor: nextCursor };
  }

  @Serve(VERIFY_LOG)
  async verifyLog(
    @TheCaller() caller: Caller,
    @Checked() { query }: Input<typeof VERIFY_LOG>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { deep = false } = query;
    if (!asksForEvents(request.headers.accept)) {
      reply.status(VERIFY_LOG.status).send(await this.#trail.verifyLog(subjectOf(caller), deep));
      return;
    }
    const type = 'text/event-stream; charset=utf-8';
    await writeText(reply, type, (gone) => asEvents(this.#trail.watchVerification(subjectOf(caller), deep, gone)));
  }

  @Serve(GET_CHECKPOINT)
  getCheckpoint(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof GET_CHECKPOINT>) {
    return this.#trail.getCheckpoint(subjectOf(caller), {
      older: numbersOf(query.older),
      indexes: numbersOf(query.index),
    });
  }

  @Serve(EXPORT_ENTRIES)
  async exportEntries(
    @TheCaller() caller: Caller,
    @Checked() { query }: Input<typeof EXPORT_ENTRIES>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { format = 'jsonl', older } = query;
    const asked = { format, older: numbersOf(older), filter: { ...filterOf(query), order: 'asc' as const } };
    reply.header('content-disposition', `attachment; filename="trail.${format === 'csv' ? 'csv' : `${format}.txt`}"`);
    await writeText(reply, CONTENT_TYPES[format], (gone) => this.#trail.exportEntries(subjectOf(caller), asked, gone));
  }

  @Serve(OPEN_CONTENT)
  async openContent(@TheCaller() caller: Caller, @Checked() { params }: Input<typeof OPEN_CONTENT>) {
    const { input, output, erased } = await this.#trail.openContent(subjectOf(caller), params['tcid'] ?? '');
    return { input: parsed(input), output: parsed(output), erased };
  }

  @Serve(ERASE_PERSON)
  async erasePerson(@TheCaller() caller: Caller, @Checked() { params, body }: Input<typeof ERASE_PERSON>) {
    return { keys: await this.#trail.erasePerson(subjectOf(caller), params['uid'] ?? '', body.reason) };
  }

  @Serve(LIST_ALERTS)
  async listAlerts(@TheCaller() caller: Caller) {
    return { alerts: await this.#trail.listAlerts(subjectOf(caller)) };
  }
}

async function* asEvents(progress: AsyncIterable<VerificationProgress>): AsyncIterable<string> {
  for await (const { checked, size, result } of progress) {
    yield `event: progress\ndata: ${JSON.stringify({ checked, size })}\n\n`;
    if (result) yield `event: result\ndata: ${JSON.stringify(result)}\n\n`;
  }
}

const filterOf = (query: Input<typeof EXPORT_ENTRIES>['query']): Omit<TrailFilter, 'order'> => ({
  conversationId: query.conversation ?? '',
  actor: query.actor ?? '',
  onBehalfOf: query.on_behalf_of ?? '',
  type: query.type ?? '',
  tool: query.tool ?? '',
  toolCallId: query.tool_call ?? '',
  decision: query.decision ?? '',
  rule: query.rule ?? '',
  resource: query.resource ?? '',
  text: query.text ?? '',
  from: dateOf(query.from),
  to: dateOf(query.to),
});

const parsed = (text: string): unknown => (text === '' ? null : JSON.parse(text));

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const numbersOf = (text: string | undefined): number[] => (text === undefined ? [] : text.split(',').map(Number));
