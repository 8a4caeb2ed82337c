/** Prints the events of one turn as they come and answers its questions; it hides nothing of what is being asked. */
import type { Answer } from './ask-person.ts';
import type { BravoApi, TurnEvent } from './bravo-api.ts';
import { visibleText } from './visible-text.ts';

export interface TurnOutcome {
  /** Everything the agent said. */
  readonly text: string;
  readonly answers: readonly Answer[];
  /** Status of each finished tool call, in order. */
  readonly toolStatuses: readonly string[];
  readonly ended: 'message_end' | 'error' | 'cut_off';
}

interface Screen {
  line(text: string): void;
  /** Text that goes on in the same line. */
  flow(text: string): void;
}

const createScreen = (): Screen => {
  let inLine = false;
  return {
    line: (text) => {
      process.stdout.write(`${inLine ? '\n' : ''}${text}\n`);
      inLine = false;
    },
    flow: (text) => {
      process.stdout.write(text);
      inLine = text === '' ? inLine : !text.endsWith('\n');
    },
  };
};

const asText = (value: unknown): string => visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const indented = (text: string): string => text.split('\n').map((line) => `    │ ${line}`).join('\n');

const showQuestion = (screen: Screen, data: TurnEvent['data']): void => {
  const input = (data['input'] ?? {}) as Record<string, unknown>;
  screen.line(`\n  Bravo asks to use ${asText(data['tool'])}. This is exactly what would happen:`);
  for (const [name, value] of Object.entries(input)) screen.line(`    ${name}:\n${indented(asText(value))}`);
  screen.line(`  The question expires at ${asText(data['expires_at'])}.`);
};

const give = async (api: BravoApi, conversation: string, toolCall: string, answer: Answer): Promise<void> => {
  if (answer === 'read') await api.answer(conversation, toolCall, 'approve', { trust_output: true });
  else if (answer === 'approve') await api.answer(conversation, toolCall, 'approve');
  else await api.answer(conversation, toolCall, 'deny');
};

const showResult = async (screen: Screen, api: BravoApi, conversation: string, data: TurnEvent['data']): Promise<void> => {
  screen.line(`  ▪ ${asText(data['status'])} in ${asText(data['duration_ms'])} ms`);
  if (data['output'] !== undefined && data['output'] !== null) screen.line(indented(asText(data['output'])));
  // A quarantined result is a reference for the agent and readable for the person.
  for (const ref of (data['refs'] ?? []) as { number: number }[]) {
    const slot = await api.slot(conversation, ref.number).catch(() => undefined);
    if (slot !== undefined) screen.line(`  For your eyes only (ref:${ref.number}):\n${indented(asText((slot as { text?: unknown }).text ?? slot))}`);
  }
};

export const showTurn = async (
  api: BravoApi,
  conversation: string,
  content: string,
  ask: () => Promise<Answer>,
): Promise<TurnOutcome> => {
  const screen = createScreen();
  const answers: Answer[] = [];
  const toolStatuses: string[] = [];
  let text = '';
  let ended: TurnOutcome['ended'] = 'cut_off';
  for await (const { event, data } of api.sendMessage(conversation, content)) {
    if (event === 'status') screen.line(`  · ${asText(data['state'])}`);
    else if (event === 'notice') screen.line(`  ℹ ${asText(data['text'])}`);
    else if (event === 'content_delta') {
      text += String(data['delta']);
      screen.flow(visibleText(String(data['delta'])));
    } else if (event === 'tool_call_start') {
      screen.line(`  ▸ ${asText(data['tool'])}${data['why'] ? ` (${asText(data['why'])})` : ''}`);
    } else if (event === 'needs_approval') {
      showQuestion(screen, data);
      const answer = await ask();
      answers.push(answer);
      await give(api, conversation, String(data['id']), answer);
    } else if (event === 'approval_resolved') screen.line(`  ▪ ${asText(data['decision'])} by ${asText(data['by'])}`);
    else if (event === 'tool_call_end') {
      toolStatuses.push(String(data['status']));
      await showResult(screen, api, conversation, data);
    } else if (event === 'error') {
      ended = 'error';
      screen.line(`  ✗ ${asText(data['detail'] ?? data['code'])}`);
    } else if (event === 'message_end') {
      ended = 'message_end';
      screen.line('');
    }
  }
  return { text, answers, toolStatuses, ended };
};
