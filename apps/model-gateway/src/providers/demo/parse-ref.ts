/** Reads what a person asks to be done with a reference or inside a file: "process ref:1: …", "write ref:2 to notes.txt", "read ref:1 yourself", and a replacement. */
import type { DemoRequest } from './request.ts';
import { bare, takePath } from './wording.ts';

/** A longer text is no such request, and is not looked at. */
const LONGEST = 1_000;
const REF = '(ref:[1-9][0-9]{0,8})';
const PROCESS = new RegExp(
  `^(?:process|transform|convert|work on)\\s+${REF}\\s*(?::|with|so that it is|to)?\\s+(.{1,500})$`,
  'is',
);
const SAVE = new RegExp(`^(?:write|save|store|put)\\s+${REF}\\s+(?:to|as|in|into)\\s+(.+)$`, 'is');
const VET = new RegExp(`^(?:read|vet|look at|check)\\s+${REF}(?:\\s+yourself)?$`, 'i');

export function parseRef(source: string): DemoRequest[] | undefined {
  if (source.length > LONGEST) return undefined;
  const text = bare(source);
  const vet = VET.exec(text);
  if (vet) return [{ kind: 'vet', ref: vet[1]!.toLowerCase() }];
  const work = PROCESS.exec(text);
  if (work) return [{ kind: 'process', ref: work[1]!.toLowerCase(), instruction: work[2]!.trim() }];
  const save = SAVE.exec(text);
  const place = save ? takePath(save[2]!.trim()) : undefined;
  if (save && place && place.rest.trim() === '')
    return [{ kind: 'save', ref: save[1]!.toLowerCase(), path: place.path }];
  return undefined;
}

const EDIT =
  /^(?:in\s+(?<first>\S+),?\s+)?(?:replace|change)\s+(?<from>"[^"\n]+"|“[^”\n]+”)\s+(?:with|by|to|into)\s+(?<to>"[^"\n]*"|“[^”\n]*”)(?:\s+in\s+(?<last>\S+))?$/i;

/** One quoted text in place of another in one file. */
export function parseEdit(source: string): DemoRequest[] | undefined {
  if (source.length > LONGEST) return undefined;
  const { first, last, from = '', to = '' } = EDIT.exec(bare(source))?.groups ?? {};
  const path = first ?? last;
  if (path === undefined || (first !== undefined && last !== undefined)) return undefined;
  return [{ kind: 'edit', path, from: from.slice(1, -1), to: to.slice(1, -1) }];
}
