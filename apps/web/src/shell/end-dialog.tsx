/** Asks once before a conversation is ended, since its files and references are erased with it. */
import { useRef } from 'react';
import { Button } from '../ui/button.tsx';

export function EndDialog({ onEnd }: { onEnd: () => Promise<void> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        look="ghost"
        size="small"
        data-testid="end-conversation"
        className="min-h-9"
        onClick={() => dialog.current?.showModal()}
      >
        End
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="end-title"
        className="m-auto w-[min(26rem,calc(100vw-2rem))] rounded-2xl border border-border bg-surface p-5 text-foreground"
      >
        <h2 id="end-title" className="text-lg font-semibold tracking-tight">
          End this conversation?
        </h2>
        <p className="mt-1.5 text-sm text-muted">
          Its agent stops, and its files and references are erased. The messages and the log stay. This cannot be
          undone.
        </p>
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={() => dialog.current?.close()}>Keep it</Button>
          <Button
            look="danger"
            data-testid="end-confirm"
            onClick={() => {
              dialog.current?.close();
              void onEnd();
            }}
          >
            End it
          </Button>
        </div>
      </dialog>
    </>
  );
}
