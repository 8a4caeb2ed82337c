/** Finds the words behind the digests of the log by hashing what this page shows; a quote is only given where the digests agree. */
import { useEffect, useMemo, useState } from 'react';
import { plainText, type UiMessage } from '../conversation/conversation-state.ts';

/** @returns SHA-256 (hex) to text, for the messages that have ended. Empty where the browser offers no hashing (no secure context). */
export function useQuotes(messages: UiMessage[]): ReadonlyMap<string, string> {
  const [quotes, setQuotes] = useState<ReadonlyMap<string, string>>(new Map());
  const settled = messages
    .filter((m) => m.status !== 'streaming' && m.status !== 'sending' && m.status !== 'unsent')
    .map(plainText);
  // As one value, so that a message that streams does not hash the others again with each word.
  const texts = useMemo(() => settled, [settled.join('\u0000')]);

  useEffect(() => {
    let current = true;
    void digestAll(texts).then((found) => current && setQuotes(found));
    return () => {
      current = false;
    };
  }, [texts]);

  return quotes;
}

async function digestAll(texts: string[]): Promise<ReadonlyMap<string, string>> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle) return new Map();
  const encoder = new TextEncoder();
  const pairs = texts.map(async (text): Promise<[string, string]> => {
    const hash = new Uint8Array(await subtle.digest('SHA-256', encoder.encode(text)));
    return [[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join(''), text];
  });
  return new Map(await Promise.all(pairs));
}
