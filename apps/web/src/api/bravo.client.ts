/** The gateway's routes as functions, one each; it must never decide anything about what it carries. */
import type {
  Approval,
  Delegate,
  AuditEntry,
  AuditVerification,
  Conversation,
  ConversationDetail,
  Diagnosis,
  Grant,
  Schedule,
  Message,
  Mode,
  ModelChoice,
  ModelList,
  Person,
  QuestionAnswer,
  RepositorySettings,
  Session,
  SlotContent,
  ToolCall,
  TrustOffer,
  UsageReport,
  Preview,
} from './contract.ts';
import type { ToldInstructions } from './told-contract.ts';
import { call, callJson, setCsrfToken } from './http.client.ts';
import {
  readApproval,
  readDelegate,
  readConversationDetail,
  readDiagnosis,
  readGrant,
  readSchedule,
  readList,
  readRepositorySettings,
  readSlot,
  readToolCall,
  readTrail,
} from './read-answers.ts';

export async function readSession(): Promise<Session> {
  const session = await callJson<Session>('/me');
  setCsrfToken(session.csrf_token ?? '');
  return session;
}

export async function signIn(name: string): Promise<void> {
  await call('/sign-in', { method: 'POST', body: { name } });
}

export async function signOut(): Promise<void> {
  await call('/sign-out', { method: 'POST', body: {} });
  setCsrfToken('');
}

export async function listPeople(): Promise<Person[]> {
  return readList<Person>(await callJson('/sign-in/people'), 'people');
}

const base = (workspace: string): string => `/${encodeURIComponent(workspace)}/bravo`;
const at = (workspace: string, conversation: string): string =>
  `${base(workspace)}/conversations/${encodeURIComponent(conversation)}`;

export async function listConversations(
  workspace: string,
  cursor = '',
): Promise<{ conversations: Conversation[]; nextCursor: string }> {
  const answer = await callJson<Record<string, unknown>>(
    `${base(workspace)}/conversations?limit=50${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
  );
  return {
    conversations: readList<Conversation>(answer, 'conversations'),
    nextCursor: typeof answer['next_cursor'] === 'string' ? answer['next_cursor'] : '',
  };
}

export async function createConversation(workspace: string, mode: Mode): Promise<Conversation> {
  return callJson<Conversation>(`${base(workspace)}/conversations`, { method: 'POST', body: { mode } });
}

export async function endConversation(workspace: string, conversation: string): Promise<void> {
  await call(at(workspace, conversation), { method: 'DELETE' });
}

export async function readConversation(workspace: string, conversation: string): Promise<ConversationDetail> {
  return readConversationDetail(await callJson(at(workspace, conversation)));
}

/** One page of stored messages, newest first. */
export async function listMessages(
  workspace: string,
  conversation: string,
  cursor: string,
): Promise<{ messages: Message[]; nextCursor: string }> {
  const page = `limit=50${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  const answer = await callJson<Record<string, unknown>>(`${at(workspace, conversation)}/messages?${page}`);
  return {
    messages: readList<Message>(answer, 'messages'),
    nextCursor: typeof answer['next_cursor'] === 'string' ? answer['next_cursor'] : '',
  };
}

export async function listToolCalls(workspace: string, conversation: string): Promise<ToolCall[]> {
  return readList<unknown>(await callJson(`${at(workspace, conversation)}/tool-calls`), 'tool_calls').map(readToolCall);
}

/** Resolves once the server has accepted the message. The answer is read from the conversation's own stream, so the body is dropped; that cancels nothing. */
export async function postMessage(
  workspace: string,
  conversation: string,
  content: string,
  idempotencyKey: string,
): Promise<void> {
  const response = await call(`${at(workspace, conversation)}/messages`, {
    method: 'POST',
    body: { content },
    accept: 'text/event-stream',
    headers: { 'idempotency-key': idempotencyKey },
  });
  await response.body?.cancel();
}

export async function cancelTurn(workspace: string, conversation: string): Promise<void> {
  await call(`${at(workspace, conversation)}/cancel`, { method: 'POST', body: {} });
}

export async function setMode(workspace: string, conversation: string, mode: Mode): Promise<void> {
  await call(`${at(workspace, conversation)}/mode`, { method: 'PATCH', body: { mode } });
}

export function listModels(workspace: string): Promise<ModelList> {
  return callJson<ModelList>(`${base(workspace)}/models`);
}

export function readInstructions(workspace: string, conversation: string): Promise<ToldInstructions> {
  return callJson<ToldInstructions>(`${at(workspace, conversation)}/instructions`);
}

export async function compactConversation(workspace: string, conversation: string): Promise<void> {
  await call(`${at(workspace, conversation)}/compact`, { method: 'POST', body: {} });
}

export function readModelChoice(workspace: string, conversation: string): Promise<ModelChoice> {
  return callJson<ModelChoice>(`${at(workspace, conversation)}/model`);
}

/** What is absent stays as it is recorded; an empty word takes the choice away. */
export function chooseModel(
  workspace: string,
  conversation: string,
  scope: 'conversation' | 'person',
  choice: { model?: string; effort?: string },
): Promise<ModelChoice> {
  const path = scope === 'conversation' ? `${at(workspace, conversation)}/model` : `${base(workspace)}/model`;
  return callJson<ModelChoice>(path, { method: 'PUT', body: choice });
}

export function readUsage(workspace: string): Promise<UsageReport> {
  return callJson<UsageReport>(`${base(workspace)}/usage`);
}

/** The person's one-shot answer to a question. */
export async function resolveApproval(
  workspace: string,
  conversation: string,
  toolCall: string,
  answer: 'approve' | 'approve-read' | 'approve-grant' | 'approve-remember' | 'deny',
  answers?: readonly QuestionAnswer[],
): Promise<void> {
  const verb = answer === 'deny' ? 'deny' : 'approve';
  const extra = {
    'approve-read': { trust_output: true },
    'approve-grant': { grant: {} },
    'approve-remember': { remember: true },
  };
  const body = {
    ...(answer === 'approve' || answer === 'deny' ? {} : extra[answer]),
    ...(answers === undefined ? {} : { answers }),
  };
  await call(`${at(workspace, conversation)}/tool-calls/${encodeURIComponent(toolCall)}/${verb}`, {
    method: 'POST',
    body,
  });
}

export async function listApprovals(workspace: string): Promise<Approval[]> {
  return readList<unknown>(await callJson(`${base(workspace)}/approvals`), 'approvals').map(readApproval);
}

export async function listGrants(workspace: string, conversation: string): Promise<Grant[]> {
  return readList<unknown>(await callJson(`${at(workspace, conversation)}/grants`), 'grants').map(readGrant);
}

export async function listSchedules(workspace: string, conversation: string): Promise<Schedule[]> {
  return readList<unknown>(await callJson(`${at(workspace, conversation)}/schedules`), 'schedules').map(readSchedule);
}

export async function cancelSchedule(workspace: string, conversation: string, schedule: string): Promise<void> {
  await call(`${at(workspace, conversation)}/schedules/${encodeURIComponent(schedule)}`, { method: 'DELETE' });
}

export async function revokeGrant(workspace: string, conversation: string, grant: string): Promise<void> {
  await call(`${at(workspace, conversation)}/grants/${encodeURIComponent(grant)}`, { method: 'DELETE' });
}

export async function listDelegates(workspace: string, conversation: string): Promise<Delegate[]> {
  return readList<unknown>(await callJson(`${at(workspace, conversation)}/delegates`), 'delegates').map(readDelegate);
}

export async function seeRepositorySettings(workspace: string, conversation: string): Promise<RepositorySettings> {
  return readRepositorySettings(await callJson(`${at(workspace, conversation)}/settings/repository`));
}

/** @param rules letter by letter as the file proposes them. */
export async function acceptRepositoryRules(
  workspace: string,
  conversation: string,
  rules: readonly string[],
): Promise<RepositorySettings> {
  const path = `${at(workspace, conversation)}/settings/repository/accept`;
  return readRepositorySettings(await callJson(path, { method: 'POST', body: { rules } }));
}

/** Grants exactly the refused call; the mode stays. */
export async function answerStepUp(workspace: string, conversation: string, toolCall: string): Promise<void> {
  await call(`${at(workspace, conversation)}/tool-calls/${encodeURIComponent(toolCall)}/step-up`, {
    method: 'POST',
    body: {},
  });
}

export async function openSlot(workspace: string, conversation: string, slot: number): Promise<SlotContent> {
  return readSlot(await callJson(`${at(workspace, conversation)}/slots/${slot}`), slot);
}

export async function readTrustOffer(workspace: string, conversation: string, slot: number): Promise<TrustOffer> {
  const offer = await callJson<TrustOffer>(`${at(workspace, conversation)}/slots/${slot}/trust-offer`);
  if (!Array.isArray(offer.preview?.rows)) throw new Error('The server drew nothing.');
  return offer;
}

/** @param revision of the bytes that were drawn. */
export async function vouchForFile(
  workspace: string,
  conversation: string,
  slot: number,
  revision: string,
): Promise<void> {
  await call(`${at(workspace, conversation)}/slots/${slot}/vouch`, { method: 'POST', body: { revision } });
}

export async function readPreview(workspace: string, conversation: string, toolCall: string): Promise<Preview> {
  const path = `${at(workspace, conversation)}/tool-calls/${encodeURIComponent(toolCall)}/preview`;
  const preview = await callJson<Preview>(path);
  if (!Array.isArray(preview.rows)) throw new Error('The server drew nothing.');
  return preview;
}

export async function readDoctor(workspace: string): Promise<Diagnosis> {
  return readDiagnosis(await callJson(`${base(workspace)}/doctor`));
}

/** Only whether it may be used at all matters here; the problem says why not. */
export async function checkTools(workspace: string): Promise<Record<string, unknown>> {
  return callJson(`${base(workspace)}/tools`);
}

export async function readAudit(workspace: string, conversation: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let cursor = '';
  // A conversation's story is short; ten pages guard against a server that never ends its cursor.
  for (let page = 0; page < 10; page += 1) {
    const query = `conversation=${encodeURIComponent(conversation)}&order=asc&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await callJson<Record<string, unknown>>(`/${encodeURIComponent(workspace)}/audit?${query}`);
    entries.push(...readTrail(answer));
    cursor = typeof answer['next_cursor'] === 'string' ? answer['next_cursor'] : '';
    if (cursor === '') break;
  }
  return entries;
}

/** Filters of the whole trail, by the names of the API. */
export type TrailSearch = Partial<
  Record<
    'conversation' | 'actor' | 'on_behalf_of' | 'type' | 'tool' | 'tool_call' | 'decision' | 'resource' | 'text',
    string
  >
>;

/** Newest first; needs the permission audit_read. `next` is empty on the last page. */
export async function searchAudit(
  workspace: string,
  search: TrailSearch,
  cursor: string,
): Promise<{ entries: AuditEntry[]; next: string }> {
  const query = new URLSearchParams({ ...search, order: 'desc', limit: '50', ...(cursor === '' ? {} : { cursor }) });
  const answer = await callJson<Record<string, unknown>>(`/${encodeURIComponent(workspace)}/audit?${query}`);
  const next = answer['next_cursor'];
  return { entries: readTrail(answer), next: typeof next === 'string' ? next : '' };
}

export async function verifyAudit(workspace: string): Promise<AuditVerification> {
  return callJson(`/${encodeURIComponent(workspace)}/audit/verify`);
}
