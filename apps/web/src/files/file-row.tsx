/** One file with what may be done about it; it is taken away only after the question was answered with yes. */
import { useState } from 'react';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { formatBytes } from '../messages/format-amounts.ts';
import { HiddenText } from '../messages/hidden-text.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { describeFile } from './describe-file.ts';
import { type ConversationFile, downloadAddress } from './files.client.ts';

export interface FileRowProps {
  file: ConversationFile;
  workspace: string;
  conversation: string;
  onRemove: (file: ConversationFile) => Promise<void>;
}

export function FileRow({ file, workspace, conversation, onRemove }: FileRowProps) {
  const [asking, setAsking] = useState(false);
  const { path, kind, size, landing } = file;
  const state = describeFile(file);
  const name = revealedText(path);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm" data-testid="file" data-path={path}>
      <span className="min-w-0 flex-1 font-mono text-[0.8125rem] wrap-anywhere">
        <HiddenText text={path} />
        {kind === 'directory' && '/'}
        {kind === 'link' && (
          <span className="text-muted">
            {' '}
            → {landing === '' ? 'nowhere among the files' : <HiddenText text={landing} />}
          </span>
        )}
      </span>
      {kind === 'file' && <span className="text-xs text-muted">{formatBytes(size)}</span>}
      {state && (
        <Badge tone={state.tone} title={state.sentence} data-testid="file-state">
          {state.word}
        </Badge>
      )}
      {asking ? (
        <span className="flex items-center gap-1.5" role="group" aria-label={`Delete ${name}?`}>
          <span className="text-xs">Delete it for good?</span>
          <Button look="danger" size="small" data-testid="file-delete-confirm" onClick={() => void onRemove(file)}>
            Delete
          </Button>
          <Button size="small" onClick={() => setAsking(false)}>
            Keep
          </Button>
        </span>
      ) : (
        <span className="flex gap-1.5">
          {kind === 'file' && (
            <a
              href={downloadAddress(workspace, conversation, path)}
              download
              aria-label={`Download ${name}`}
              data-testid="file-download"
              className="inline-flex min-h-7 items-center rounded-lg border border-border-strong px-2.5 py-1 text-[0.8125rem] font-medium hover:bg-raised"
            >
              Download
            </a>
          )}
          <Button size="small" aria-label={`Delete ${name}`} data-testid="file-delete" onClick={() => setAsking(true)}>
            Delete
          </Button>
        </span>
      )}
    </li>
  );
}
