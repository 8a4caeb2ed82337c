/** Offers the person to vouch for one file that @bravo may not read; no yes is possible before the whole file was on screen to its end. */
import { useRef, useState } from 'react';
import { readTrustOffer, vouchForFile } from '../api/bravo.client.ts';
import type { TrustOffer } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/icons.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { useSeenInFull } from './use-seen-in-full.ts';

export function TrustOfferButton({ slot }: { slot: number }) {
  const { workspace, id } = useOpenConversation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [offer, setOffer] = useState<TrustOffer>();
  const [vouched, setVouched] = useState(false);
  const [problem, setProblem] = useState('');

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem(problemText(toProblem(error)));
    }
  };
  const open = (): void => {
    setOffer(undefined);
    dialog.current?.showModal();
    void attempt(async () => setOffer(await readTrustOffer(workspace, id, slot)));
  };
  const vouch = (revision: string): Promise<void> =>
    attempt(async () => {
      await vouchForFile(workspace, id, slot, revision);
      setVouched(true);
      dialog.current?.close();
    });

  return (
    <>
      {vouched ? (
        <span className="text-xs text-muted" data-testid={`vouched-${slot}`}>
          You vouched for this file: @bravo may read it.
        </span>
      ) : (
        <Button size="small" data-testid={`trust-offer-${slot}`} aria-haspopup="dialog" onClick={open}>
          Let @bravo read this file…
        </Button>
      )}
      <dialog
        ref={dialog}
        aria-label="Let @bravo read this file"
        className="m-auto w-[min(44rem,calc(100vw-2rem))] rounded-2xl border border-border bg-surface p-4 text-foreground"
      >
        <h3 className="mb-2 font-semibold">Let @bravo read this file?</h3>
        {problem !== '' && <p className="mb-2 text-sm text-bad">{problem}</p>}
        {offer ? (
          <Offer offer={offer} onVouch={vouch} onClose={() => dialog.current?.close()} />
        ) : (
          <div className="flex items-center justify-between gap-2">
            <p className="text-sm text-muted">{problem === '' ? 'Drawing the file, and having it checked…' : ''}</p>
            <Button onClick={() => dialog.current?.close()}>Close</Button>
          </div>
        )}
      </dialog>
    </>
  );
}

function Offer({
  offer,
  onVouch,
  onClose,
}: {
  offer: TrustOffer;
  onVouch: (revision: string) => Promise<void>;
  onClose: () => void;
}) {
  const { missing, start, end } = useSeenInFull(offer.revision);
  const [sent, setSent] = useState(false);
  const give = async (): Promise<void> => {
    setSent(true);
    await onVouch(offer.revision);
    setSent(false);
  };
  return (
    <div className="space-y-3">
      <div
        tabIndex={0}
        role="region"
        aria-label="The whole file"
        data-testid="offered-file"
        className="scroll-slim max-h-[50svh] overflow-y-auto rounded-lg"
      >
        <div ref={start} className="h-px" />
        <PreviewRows preview={offer.preview} />
        <div ref={end} className="h-px" />
      </div>
      {offer.preview.symbols > 0 && (
        <p className="text-sm font-medium text-bad">
          Characters that cannot be seen, or are not what they look like, are marked with a symbol.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          data-testid="vouch"
          disabled={sent || missing !== 'nothing' || offer.trusted}
          onClick={() => void give()}
        >
          {sent && <Spinner />} I vouch for this file
        </Button>
        <Button onClick={onClose}>Not now</Button>
      </div>
      <p className="text-xs text-muted">
        {offer.trusted
          ? 'The file is vouched for already.'
          : missing !== 'nothing'
            ? `To vouch for it, scroll to the ${missing === 'start' ? 'beginning' : 'end'} of the file.`
            : 'It counts for this file in this conversation, until something nobody vouched for is written to it.'}
      </p>
    </div>
  );
}
