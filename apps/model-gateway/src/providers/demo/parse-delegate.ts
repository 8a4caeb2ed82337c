/** Reads "delegate to a reader: show notes.txt": everything after the colon is the task, and "|" parts the tasks of several delegates. */
import type { DemoRequest } from './request.ts';

const DELEGATE =
  /^\s*(?:please\s+)?(?:delegate|hand(?: this| it)?(?: over)?|give(?: this| it)?)\s+to\s+(?:an?\s+|some\s+|two\s+|the\s+)?(reader|checker|worker)s?\s*:\s*(.{1,8000})$/is;

export function parseDelegate(message: string): DemoRequest[] | undefined {
  const [, as = '', rest = ''] = DELEGATE.exec(message.slice(0, 9_000)) ?? [];
  const tasks = rest
    .split('|')
    .map((task) => task.trim())
    .filter((task) => task !== '');
  return as === '' || tasks.length === 0 ? undefined : [{ kind: 'delegate', as: as.toLowerCase(), tasks }];
}

const REPORT = /^\s*\[platform\] (The delegate d[\d.]+ \(\w+\)[^\n]{0,600})(?:\n|$)/;

/** What the platform says of a delegate's end, with its words where they are told; undefined for every other text. */
export function readReport(message: string): { readonly head: string; readonly words: string } | undefined {
  const head = REPORT.exec(message)?.[1];
  if (head === undefined) return undefined;
  const told = message.indexOf('\n[report] ');
  let words = '';
  try {
    if (told !== -1) words = String(JSON.parse(message.slice(told + '\n[report] '.length)));
  } catch {
    // What is no record is not repeated.
  }
  return { head, words };
}
