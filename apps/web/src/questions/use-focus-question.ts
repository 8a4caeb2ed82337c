/** Moves focus to a new question, unless the person is in the middle of writing something. */
import { type RefObject, useEffect } from 'react';

let lastTyped = 0;
if (typeof document !== 'undefined') {
  document.addEventListener('input', () => (lastTyped = Date.now()), { capture: true, passive: true });
  // Enter sends: whoever pressed it has finished writing.
  document.addEventListener('keydown', (event) => event.key === 'Enter' && !event.shiftKey && (lastTyped = 0), {
    capture: true,
    passive: true,
  });
}

/** Someone who paused this long with nothing in the box is not typing. */
const PAUSE_MS = 1500;

function isWriting(): boolean {
  const active = document.activeElement;
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return false;
  if (active instanceof HTMLInputElement && active.type === 'radio') return false;
  return active.value !== '' || Date.now() - lastTyped < PAUSE_MS;
}

export function useFocusQuestion(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const active = document.activeElement;
    const reading = active instanceof HTMLElement && active.closest('dialog, [data-question]') !== null;
    if (reading || isWriting()) return;
    card.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: 'end' });
  }, [card]);
}
