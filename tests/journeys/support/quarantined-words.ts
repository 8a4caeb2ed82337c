/** What is behind the references of a conversation, as the person sees it, without what its pod may know anyway. */
import type { RestClient } from './rest-client.ts';

/** Shorter words turn up by chance. */
const TELLING = 9;
const MOST_REFERENCES = 40;

interface SeenCall {
  readonly input: unknown;
  readonly why: string;
}

/** Lines of quarantined content that nobody who may speak to the pod has said: not the person, not the agent. Of an ended conversation nothing is left. */
export const quarantinedWords = async (person: RestClient, conversation: string): Promise<string[]> => {
  const root = `/bravo/conversations/${conversation}`;
  const [calls, messages] = await Promise.all([person.call('GET', `${root}/tool-calls`), person.call('GET', `${root}/messages`)]);
  if (calls.status !== 200 || messages.status !== 200) return [];
  const known = JSON.stringify([(calls.body as { tool_calls: SeenCall[] }).tool_calls.map(({ input, why }) => [input, why]), messages.body]);
  const words = new Set<string>();
  for (let number = 1; number <= MOST_REFERENCES; number += 1) {
    const slot = await person.call('GET', `${root}/slots/${number}`);
    if (slot.status !== 200) break;
    const { text, slot: about } = slot.body as { text: string; slot: { name?: string } };
    for (const line of [...text.split('\n'), about.name ?? ''].map((words) => words.trim())) {
      if (line.length >= TELLING && !known.includes(JSON.stringify(line).slice(1, -1))) words.add(line);
    }
  }
  return [...words];
};
