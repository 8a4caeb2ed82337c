/** `explain`: what would be decided of a call, step by step; nothing happens and nothing is recorded. */
import { parseArgs } from 'node:util';
import { CommandError, type Command } from '../command.ts';
import { httpUrl, mintToken, requireRunning, revokeToken } from '../operator.ts';
import { printJson, printLine } from '../output.ts';

interface Reason {
  readonly code: string;
  readonly text: string;
}

interface Explanation {
  readonly effect: string;
  readonly step: string;
  readonly reasons: readonly Reason[];
  readonly rule: string;
  readonly layer: string;
  readonly steps: readonly { readonly step: string; readonly outcome: string; readonly reasons: readonly Reason[] }[];
  readonly advice: readonly string[];
  readonly policy_version: string;
}

export const command: Command = {
  summary: 'Show what would be decided of a call, by which step and rule, and what would change it.',
  usage: 'explain --as NAME --tool TOOL --input JSON [--conversation ID] [--workspace SLUG] [--json]',
  run: async ({ args, environment }) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        as: { type: 'string' },
        tool: { type: 'string' },
        input: { type: 'string' },
        conversation: { type: 'string' },
        workspace: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { as, tool, conversation, workspace } = values;
    if (!as || !tool)
      throw new CommandError(`Say whose call of which tool: ./bravo explain --as alice --tool read_file --input '{"path":"a"}'`, 2);
    const input = readInput(values.input ?? '{}');
    const stack = requireRunning(environment);
    const minted = await mintToken(stack, environment['BRAVO_ENV'] === 'production', as, {
      workspace,
      ttlSeconds: 60,
      label: './bravo explain',
    });
    try {
      const response = await fetch(`${httpUrl(stack, 'gateway')}/api/v1/${minted.workspace}/bravo/explain`, {
        method: 'POST',
        headers: { authorization: `Bearer ${minted.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool, input, ...(conversation === undefined ? {} : { conversation }) }),
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new CommandError((answer as { detail?: string }).detail ?? `HTTP ${response.status}`);
      if (values.json) printJson(answer);
      else printExplanation(tool, answer as Explanation);
      return 0;
    } finally {
      await revokeToken(stack, minted.tokenId).catch(() => {});
    }
  },
};

const readInput = (text: string): object => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new CommandError(`--input takes the arguments as one JSON object, such as '{"path":"notes.txt"}'.`, 2);
};

const WORDS: Readonly<Record<string, string>> = { allow: 'goes through', ask: 'asks a person', deny: 'is refused' };

const printExplanation = (tool: string, { effect, steps, rule, layer, reasons, advice }: Explanation): void => {
  printLine(`${tool} ${WORDS[effect] ?? effect}${rule === '' ? '' : `, by ${layer === '' ? '' : `the ${layer} rule `}${rule}`}.`);
  for (const { text } of reasons) printLine(`  ${text}`);
  printLine('');
  const width = Math.max(...steps.map(({ step }) => step.length));
  steps.forEach(({ step, outcome, reasons: why }, at) => {
    printLine(`${String(at + 1).padStart(2)} ${step.padEnd(width)}  ${outcome.replace('_', ' ').padEnd(11)}  ${why.map(({ code }) => code).join(', ')}`.trimEnd());
  });
  printLine('');
  for (const sentence of advice) printLine(`To change it: ${sentence}`);
};
