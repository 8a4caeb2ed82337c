/** The files of the conversation: what is there and whether @bravo may read it, put there by button or drop, kept by download, taken away after a question. */
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CrossIcon, FolderIcon, PlusIcon, Spinner } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { FileRow } from './file-row.tsx';
import { useFiles } from './use-files.ts';

export function FilesDialog({ workspace, conversation }: { workspace: string; conversation: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const state = useFiles(workspace, conversation);
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent, inside: boolean): void => {
    event.preventDefault();
    setOver(inside);
  };
  return (
    <>
      <Button
        look="ghost"
        size="icon"
        aria-label="Files"
        title="Files of this conversation"
        data-testid="files-open"
        onClick={() => {
          dialog.current?.showModal();
          void state.reload();
        }}
      >
        <FolderIcon />
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="files-title"
        data-testid="files"
        className="m-auto max-h-[85vh] w-[min(42rem,calc(100vw-2rem))] rounded-2xl border border-border bg-surface p-5 text-foreground"
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          void state.upload([...event.dataTransfer.files]);
        }}
      >
        <div className="flex items-start gap-2">
          <h2 id="files-title" className="flex-1 text-lg font-semibold tracking-tight">
            Files of this conversation
          </h2>
          <Button look="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <CrossIcon />
          </Button>
        </div>
        <p className="mt-1 text-sm text-muted">
          @bravo works on them in a sandbox. They are erased when the conversation ends.
        </p>
        {state.problem !== '' && (
          <Notice className="mt-3">
            <span data-testid="files-problem">{state.problem}</span>
          </Notice>
        )}
        <div
          className={`mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-dashed px-3 py-3 ${over ? 'border-accent bg-accent-soft' : 'border-border-strong'}`}
        >
          <Button look="accent" size="small" disabled={state.sending !== ''} onClick={() => chooser.current?.click()}>
            {state.sending === '' ? <PlusIcon /> : <Spinner />} Upload
          </Button>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            data-testid="files-choose"
            onChange={(event) => {
              const chosen = [...(event.target.files ?? [])];
              event.target.value = '';
              void state.upload(chosen);
            }}
          />
          <span className="text-xs text-muted">or drop files here, up to 32 MiB each</span>
          <label className="ml-auto flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              data-testid="files-lets-read"
              checked={state.letsRead}
              onChange={(event) => state.setLetsRead(event.target.checked)}
              className="size-4 accent-accent"
            />
            Let @bravo read it
          </label>
        </div>
        <p className="mt-1.5 text-xs text-muted" role="status">
          {state.sending !== ''
            ? `Sending ${state.sending} …`
            : state.letsRead
              ? 'What you upload is shown to @bravo as your own words are. Tick it only for what you trust.'
              : '@bravo is told that a file is there and is not shown what is in it.'}
        </p>
        {state.files === null && state.problem === '' && <Spinner />}
        {state.files?.length === 0 && <p className="mt-4 text-sm text-muted">There are no files yet.</p>}
        {state.files !== null && state.files.length > 0 && (
          <ul className="mt-3 divide-y divide-border rounded-xl border border-border" data-testid="files-list">
            {state.files.map((file) => (
              <FileRow
                key={file.path}
                file={file}
                workspace={workspace}
                conversation={conversation}
                onRemove={state.remove}
              />
            ))}
          </ul>
        )}
        {state.more && (
          <Button size="small" className="mt-3" onClick={() => void state.loadMore()}>
            Show more
          </Button>
        )}
      </dialog>
    </>
  );
}
