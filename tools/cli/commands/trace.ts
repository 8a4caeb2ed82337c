/** `trace`: what happened in one request, in every process, as a picture in the terminal or in a file; the newest message's when none is named. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { resolveHome } from '../../stack/home.ts';
import { drawSvg } from '../../traces/draw-svg.ts';
import { drawTrace, findTrace, readSpans } from '../../traces/draw-trace.ts';
import { CommandError, type Command } from '../command.ts';
import { printLine } from '../output.ts';

export const command: Command = {
  summary: 'Draw the newest trace, or that of a trace id, conversation, turn or tool call (--svg FILE: as a picture).',
  usage: 'trace [ID] [--svg FILE]',
  run: ({ args, environment }) => {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { svg: { type: 'string' } },
    });
    const { logs } = resolveHome(environment);
    const files = existsSync(logs) ? readdirSync(logs).filter((name) => name.includes('.traces.jsonl')) : [];
    const spans = files.flatMap((file) => readSpans(readFileSync(path.join(logs, file), 'utf8')));
    const found = findTrace(spans, positionals[0]);
    if (found === undefined) {
      throw new CommandError(
        positionals[0] === undefined
          ? 'There is no trace of a message yet: "./bravo demo" makes one.'
          : `There is no trace of "${positionals[0]}". An error quotes its trace; ids of conversations, turns and tool calls work too.`,
      );
    }
    if (values.svg === undefined) for (const line of drawTrace(spans, found)) printLine(line);
    else {
      writeFileSync(values.svg, drawSvg(spans, found));
      printLine(`${values.svg} shows the trace ${found}.`);
    }
    return Promise.resolve(0);
  },
};
