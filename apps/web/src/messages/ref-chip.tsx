/** A reference as a chip that opens its bytes; the chip is the page's, its words are the broker's, never content. */
import { useId, useRef, useState } from 'react';
import type { SlotRef } from '../api/contract.ts';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { Button } from '../ui/button.tsx';
import { CrossIcon, EyeIcon } from '../ui/icons.tsx';
import { formatBytes } from './format-amounts.ts';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { UntrustedContent } from './untrusted-content.tsx';

const CHIP =
  'inline-flex items-center gap-1.5 rounded-md border border-ask-border bg-ask-soft px-1.5 py-0.5 align-baseline font-mono text-xs text-ask hover:brightness-95';

/** What is behind the references of a conversation is erased when it ends. */
function useErased(): boolean {
  return useOpenConversation().state.conversation?.status === 'ended';
}

function ErasedChip({ slot }: { slot: number }) {
  return (
    <span className="inline-flex items-center rounded-md bg-sunken px-1.5 py-0.5 align-baseline font-mono text-xs text-muted">
      ref:{slot}
      <span className="font-sans">&nbsp;· erased with the conversation</span>
    </span>
  );
}

/** In a card: opens below the chip. */
export function RefChip({ slot, startOpen = false }: { slot: SlotRef; startOpen?: boolean }) {
  const [open, setOpen] = useState(startOpen);
  const id = useId();
  if (useErased()) return <ErasedChip slot={slot.number} />;
  return (
    <div className="space-y-2">
      <button
        type="button"
        className={CHIP}
        aria-expanded={open}
        aria-controls={id}
        data-testid={`ref-${slot.number}`}
        onClick={() => setOpen(!open)}
      >
        <EyeIcon className="size-3.5" />
        ref:{slot.number}
        <span className="font-sans">
          {slot.origin !== '' && ` ${revealedText(slot.origin)}`}
          {slot.name ? ` “${revealedText(slot.name)}”` : ''}
          {Number(slot.bytes) > 0 && ` · ${formatBytes(Number(slot.bytes))}`} · {open ? 'hide' : 'open'}
        </span>
      </button>
      <div id={id}>{open && <UntrustedContent slot={slot.number} />}</div>
    </div>
  );
}

/** In running text: opens in a dialog. */
export function RefLink({ slot }: { slot: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  if (useErased()) return <ErasedChip slot={slot} />;
  return (
    <>
      <button
        type="button"
        className={CHIP}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
          dialog.current?.showModal();
        }}
      >
        <EyeIcon className="size-3.5" />
        ref:{slot}
      </button>
      <dialog
        ref={dialog}
        onClose={() => setOpen(false)}
        aria-label={`Reference ${slot}`}
        className="m-auto w-[min(44rem,calc(100vw-2rem))] rounded-2xl border border-border bg-surface p-4 text-foreground"
      >
        <span className="mb-3 flex items-center justify-between">
          <span className="font-semibold">Reference {slot}</span>
          <Button look="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <CrossIcon />
          </Button>
        </span>
        {open && <UntrustedContent slot={slot} />}
      </dialog>
    </>
  );
}
