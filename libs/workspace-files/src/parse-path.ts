/** A path as its parts, or the reason why it is none; parts never climb, never start at the root and never hide what they say. */
import { Fault } from '@bravo/faults';
import { WORKSPACE_LIMITS } from './workspace-limits.ts';

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What is wrong with a relative path as the end of a sentence, or undefined. Names are shown by the caller. */
export const flawOfPath = (path: string): string | undefined => {
  if (path.includes('\0')) return 'holds a NUL character';
  if (!path.isWellFormed() || HIDDEN.test(path)) return 'holds control or invisible characters';
  if (path.startsWith('/')) return 'is absolute; paths begin at the workspace';
  if (Buffer.byteLength(path) > WORKSPACE_LIMITS.pathBytes) return `is longer than ${WORKSPACE_LIMITS.pathBytes} bytes`;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return 'climbs with ".."';
  if (parts.length > WORKSPACE_LIMITS.depth) return `is deeper than ${WORKSPACE_LIMITS.depth} directories`;
  if (parts.some((part) => Buffer.byteLength(part) > WORKSPACE_LIMITS.nameBytes)) {
    return `has a name longer than ${WORKSPACE_LIMITS.nameBytes} bytes`;
  }
  return undefined;
};

/** Empty for the root. Throws `invalid_argument`. */
export const parsePath = (path: string): string[] => {
  const flaw = flawOfPath(path);
  if (flaw !== undefined) throw new Fault('invalid_argument', `The path ${shown(path)} ${flaw}.`);
  return path.split('/').filter((part) => part !== '' && part !== '.');
};

/** Quoted, with every hidden character as an escape, and not longer than a line. */
export const shown = (path: string): string => {
  const short = path.length > 120 ? `${path.slice(0, 120)}…` : path;
  return JSON.stringify(short.toWellFormed()).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
};
