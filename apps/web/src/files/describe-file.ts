/** Says of a file whether @bravo may read it; what is not known to be vouched for is never said to be. */
import type { Tone } from '../ui/badge.tsx';
import type { ConversationFile } from './files.client.ts';

export interface FileState {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: string;
}

/** Undefined of a directory: what is in it speaks for itself. */
export function describeFile({ kind, trust, quarantined }: ConversationFile): FileState | undefined {
  if (kind === 'directory') return undefined;
  if (quarantined)
    return {
      tone: 'plain',
      word: 'never as text',
      sentence: '@bravo is not shown a picture or a PDF: only a processor looks at it, and you see what it says.',
    };
  return trust === 'trusted'
    ? { tone: 'good', word: 'may be read', sentence: '@bravo may read it.' }
    : {
        tone: 'ask',
        word: 'kept from @bravo',
        sentence: '@bravo knows that it is there and is not shown what is in it.',
      };
}

/** A name for what was dropped, without the characters no path may hold; undefined where nothing of it is left. */
export function nameForUpload(name: string): string | undefined {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD/\\]/gu, '')
    .trim();
  return clean === '' || clean === '.' || clean === '..' ? undefined : clean;
}
