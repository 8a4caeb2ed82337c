/** `demo`: one message all the way and back over the public API, with the question answered at this keyboard. */
import { parseArgs } from 'node:util';
import { askPerson, type Answer } from '../../demo/ask-person.ts';
import { BravoApi, type Verification } from '../../demo/bravo-api.ts';
import { showTurn, type TurnOutcome } from '../../demo/show-turn.ts';
import { visibleText } from '../../demo/visible-text.ts';
import type { Command } from '../command.ts';
import { mintToken, requireRunning, revokeToken } from '../operator.ts';
import { printLine } from '../output.ts';

const message = 'run this python: print(6*7)';
const question = '  [y] approve and let Bravo read the output   [p] approve, for your eyes only   [n] deny  > ';
const patienceMs = 20_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The log is signed a moment after the last event: waits until the signature covers all of it. */
const waitVerified = async (api: BravoApi): Promise<Verification> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await api.verify();
    if ((answer.ok && answer.checkpoint_size === answer.size) || Date.now() > deadline) return answer;
    await pause(300);
  }
};

const waitTrail = async (api: BravoApi, conversation: string) => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const entries = await api.trail(conversation);
    if (entries.some(({ type }) => type === 'agent.turn.finished') || Date.now() > deadline) return entries;
    await pause(300);
  }
};

/** Empty when what happened is what the person answered; else what went wrong. */
export const complaintAbout = ({ ended, answers, toolStatuses, text }: TurnOutcome): string => {
  if (ended !== 'message_end') return ended === 'error' ? 'the turn ended in an error' : 'the stream broke off';
  const [answer] = answers;
  if (answer === undefined) return 'no question was asked';
  if (answer !== 'read' && answer !== 'approve' && toolStatuses.includes('completed')) return 'it ran although it was denied';
  if (answer === 'nobody') return 'there was no answer: the end of input counts as your no, which was sent in the name of alice, so nothing ran';
  if (answer === 'deny') return '';
  if (!toolStatuses.includes('completed')) return 'the program did not run to its end';
  if (answer === 'read' && !text.includes('42')) return 'the answer does not contain 42';
  return '';
};

export const command: Command = {
  summary: 'Send one message all the way and back; you answer its question.',
  usage: 'demo [--yes]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({ args: [...args], options: { yes: { type: 'boolean', default: false } } });
    const stack = requireRunning(environment);
    const production = environment['BRAVO_ENV'] === 'production';
    const minted = await mintToken(stack, production, 'alice', { ttlSeconds: 900, label: './bravo demo' });
    const api = new BravoApi(stack.state.gateway_url, minted.token, minted.workspace);
    const ask = async (): Promise<Answer> => {
      if (!values.yes) return askPerson(question);
      printLine(`${question}y`);
      return 'read';
    };
    try {
      const conversation = await api.createConversation('Demo');
      printLine(`alice in ${minted.workspace}: ${message}`);
      const outcome = await showTurn(api, conversation, message, ask);
      printLine('The trail of this conversation:');
      for (const { type, actor } of await waitTrail(api, conversation)) {
        printLine(`  ${visibleText(type).padEnd(34)} ${visibleText(actor)}`);
      }
      const { ok, size, checkpoint_size: signed } = await waitVerified(api);
      const verified = ok && signed === size;
      printLine(verified ? `log verified (${size} entries, signed to the last)` : `LOG NOT VERIFIED (${signed} of ${size} entries signed)`);
      await api.endConversation(conversation);
      const complaint = complaintAbout(outcome);
      if (complaint !== '') process.stderr.write(`bravo: ${complaint}.\n`);
      return complaint === '' && verified ? 0 : 1;
    } finally {
      await revokeToken(stack, minted.tokenId).catch(() => {});
    }
  },
};
