/** One line of what the trail keeps and for how long, and each legal hold that stands. It must never say that something is kept which it does not know. */
import { useEffect, useState } from 'react';
import { readRetention, type Retention } from './trail.client.ts';

const told = (span: string): string => (span === 'forever' ? 'for ever' : `for ${span}`);

export function RetentionLine({ workspace }: { workspace: string }) {
  const [retention, setRetention] = useState<Retention | null>(null);
  useEffect(() => {
    let current = true;
    // Without an answer nothing is said; the trail itself is told to be unreadable where it is.
    readRetention(workspace).then(
      (answer) => current && setRetention(answer),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [workspace]);
  if (!retention) return null;
  const { rows, content, own, first, holds } = retention;
  const standing = holds.filter(({ lifted_by }) => lifted_by === '');
  return (
    <div className="mb-4 text-sm text-muted" data-testid="trail-retention">
      <p>
        Rows are kept {told(rows)}, sealed content {told(content)}
        {own ? '' : ' (as the operator says)'}.
        {first > 0 && ` Entries before ${first} were pruned; a signed stub stands for them.`}
      </p>
      {standing.map(({ id, scope, subject, reason }) => (
        <p key={id} className="text-ask">
          Legal hold over {scope === 'workspace' ? 'everything' : `the ${scope} ${subject}`}: {reason}
        </p>
      ))}
    </div>
  );
}
