/** Reads questions a person wants to be asked: `ask me "Which colour?" [red | blue] and "Why?"`; `+` behind the brackets lets several be chosen. */
import type { AskedOf, DemoRequest } from './request.ts';

const MOST = 4;
const QUESTION = /"([^"\n]{1,500})"(?:\s*\[([^\][\n]{1,1000})\](\+)?)?/g;

export function parseAsk(source: string): DemoRequest[] | undefined {
  const [, text] = /^(?:please\s+)?ask me:?\s+(.{1,4000})$/is.exec(source.trim()) ?? [];
  if (text === undefined) return undefined;
  const between = text.replaceAll(QUESTION, '').replaceAll(/\b(?:and|then)\b|[\s,.;]/gi, '');
  const questions = [...text.matchAll(QUESTION)].map(([, question = '', options, several], at): AskedOf => ({
    header: `Question ${at + 1}`,
    question,
    options: (options ?? '').split('|').flatMap((option) => (option.trim() === '' ? [] : [option.trim()])),
    multiple: several !== undefined,
  }));
  if (between !== '' || questions.length === 0 || questions.length > MOST) return undefined;
  return [{ kind: 'ask', questions }];
}
