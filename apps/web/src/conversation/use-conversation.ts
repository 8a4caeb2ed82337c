/** Keeps the open conversation in step with the server: one snapshot, one event stream, the person's actions; it must never apply what belongs to another conversation. */
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import {
  answerStepUp,
  cancelTurn,
  listMessages,
  listToolCalls,
  postMessage,
  readConversation,
  resolveApproval,
  setMode,
} from '../api/bravo.client.ts';
import type { Mode, Person, QuestionAnswer, TurnEvent } from '../api/contract.ts';
import { followEvents } from '../api/follow-events.client.ts';
import { type Problem, problemText, toProblem } from '../api/problem.ts';
import { type ConversationState, EMPTY_CONVERSATION } from './conversation-state.ts';
import { addNewest, addOlder, type KnownMessages } from './known-messages.ts';
import { loadSnapshot } from './load-snapshot.ts';
import * as own from './own-actions.ts';
import { reduceEvent } from './reduce-event.ts';

export type Connection = 'connecting' | 'live' | 'lost';
export type Answer = 'approve' | 'approve-read' | 'approve-grant' | 'approve-remember' | 'deny';

export interface OpenConversation {
  workspace: string;
  id: string;
  /** Who looks at it. */
  person: Person;
  state: ConversationState;
  connection: Connection;
  /** The conversation cannot be shown, or the last action was refused: the sentence. */
  problem: string;
  /** True once the first snapshot is in. */
  loaded: boolean;
  /** Grows with every event that puts something into the log. */
  recorded: number;
  send: (content: string) => Promise<void>;
  resend: (localId: string) => Promise<void>;
  cancel: () => Promise<void>;
  changeMode: (mode: Mode) => Promise<void>;
  stayInMode: () => void;
  /** Grants exactly the call that the mode stood in the way of. */
  grantStepUp: (callId: string) => Promise<void>;
  /** `answers`: of a call that only asks. */
  answer: (callId: string, answer: Answer, answers?: readonly QuestionAnswer[]) => Promise<void>;
  dismissProblem: () => void;
  /** Reads the stored conversation again. */
  reload: () => Promise<void>;
  /** Reads a page of messages from before the first one here. */
  loadOlder: () => Promise<void>;
}

type Change = (state: ConversationState) => ConversationState;
const change = (state: ConversationState, next: Change): ConversationState => next(state);

const NOT_RECORDED = new Set(['content_delta', 'status', 'resync']);

/** Must be mounted anew (by key) for another conversation. */
export function useConversation(
  workspace: string,
  id: string,
  person: Person,
  onChanged: () => void,
): OpenConversation {
  const [state, update] = useReducer(change, EMPTY_CONVERSATION);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [problem, setProblem] = useState('');
  const [recorded, setRecorded] = useState(0);
  const keys = useRef(new Map<string, { content: string; key: string }>());
  const known = useRef<KnownMessages>(undefined);
  const changed = useRef(onChanged);
  useEffect(() => {
    changed.current = onChanged;
  });

  const read = useCallback(async () => {
    // The calls of an ended conversation are erased with it.
    const calls = listToolCalls(workspace, id).catch((error: unknown) =>
      toProblem(error).status === 404 ? [] : Promise.reject(error),
    );
    const [detail, toolCalls] = await Promise.all([readConversation(workspace, id), calls]);
    known.current = addNewest(known.current, detail.messages);
    const { messages, cursor } = known.current;
    const whole = { ...detail, messages: [...messages], messages_before: cursor !== '' };
    update((s) => loadSnapshot(s.conversation === null ? null : s, whole, toolCalls, Date.now()));
    return detail;
  }, [workspace, id]);

  useEffect(() => {
    let stop = (): void => {};
    let gone = false;
    let retry: ReturnType<typeof setTimeout> | undefined;

    const onEvent = (event: TurnEvent): void => {
      update((s) => reduceEvent(s, event, Date.now()));
      if (event.event === 'resync') {
        // Our place is lost: the stored conversation says where to go on from.
        stop();
        void open();
        return;
      }
      if (!NOT_RECORDED.has(event.event)) setRecorded((n) => n + 1);
      if (event.event === 'message_end' || event.event === 'error') changed.current();
    };
    const open = async (): Promise<void> => {
      try {
        const detail = await read();
        if (gone) return;
        setProblem('');
        stop = followEvents({
          workspace,
          conversation: id,
          after: detail.stream_position,
          onEvent,
          onConnection: setConnection,
          onEnd: (p: Problem) => setProblem(problemText(p)),
        });
      } catch (error) {
        if (gone) return;
        const found = toProblem(error);
        setProblem(problemText(found));
        if (found.retryable) retry = setTimeout(() => void open(), 3000);
      }
    };
    void open();
    return () => {
      gone = true;
      clearTimeout(retry);
      stop();
    };
  }, [workspace, id, read]);

  // The stream spoke of something that only the stored conversation can show.
  const mustRead = state.conversation !== null && state.incomplete && !state.stale;
  useEffect(() => {
    if (!mustRead) return;
    const timer = setTimeout(
      () => void read().catch((error: unknown) => setProblem(problemText(toProblem(error)))),
      150,
    );
    return () => clearTimeout(timer);
  }, [mustRead, read]);

  const actions = useMemo(() => {
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
        setProblem('');
      } catch (error) {
        setProblem(problemText(toProblem(error)));
      }
    };
    const deliver = async (localId: string, content: string, key: string): Promise<void> => {
      update((s) => own.addOwnMessage(s, localId, content, Date.now()));
      keys.current.set(localId, { content, key });
      try {
        await postMessage(workspace, id, content, key);
        update((s) => own.acceptOwnMessage(s, localId, Date.now()));
        setRecorded((n) => n + 1);
        changed.current();
      } catch (error) {
        const sentence = problemText(toProblem(error));
        update((s) => own.refuseOwnMessage(s, localId, sentence));
      }
    };
    return {
      send: (content: string) => deliver(`local:${crypto.randomUUID()}`, content, crypto.randomUUID()),
      // The same key: had the first try arrived after all, this one is recognised and nothing runs twice.
      resend: async (localId: string) => {
        const known = keys.current.get(localId);
        if (!known) return;
        update((s) => own.removeOwnMessage(s, localId));
        await deliver(localId, known.content, known.key);
      },
      cancel: () =>
        attempt(async () => {
          await cancelTurn(workspace, id);
          update(own.dropQueued);
        }),
      changeMode: (mode: Mode) =>
        attempt(async () => {
          await setMode(workspace, id, mode);
          update((s) => own.changeMode(s, mode));
        }),
      stayInMode: () => update(own.dismissStepUp),
      grantStepUp: (callId: string) =>
        attempt(async () => {
          await answerStepUp(workspace, id, callId);
          update(own.dismissStepUp);
          setRecorded((n) => n + 1);
        }),
      answer: async (callId: string, answer: Answer, answers?: readonly QuestionAnswer[]) => {
        try {
          await resolveApproval(workspace, id, callId, answer, answers);
          setProblem('');
          update((s) => own.answerQuestion(s, callId, answer === 'deny' ? 'denied' : 'approved'));
        } catch (error) {
          setProblem(problemText(toProblem(error)));
          // Decided elsewhere, expired or replaced: show what is true now.
          await read().catch(() => undefined);
        }
      },
      dismissProblem: () => setProblem(''),
      reload: () => attempt(async () => void (await read())),
      loadOlder: () =>
        attempt(async () => {
          const before = known.current;
          let reached = before;
          // The first page holds what is here already; it only tells where the one before it begins.
          while (reached && reached.cursor !== '' && reached.messages.length === before?.messages.length) {
            const page = await listMessages(workspace, id, reached.cursor ?? '');
            reached = addOlder(reached, page.messages, page.nextCursor);
          }
          known.current = reached;
          await read();
        }),
    };
  }, [workspace, id, read]);

  return {
    workspace,
    id,
    person,
    state,
    connection,
    problem,
    loaded: state.conversation !== null,
    recorded,
    ...actions,
  };
}
