/** Says whether the workspace's log verifies, in the verifier's own words; it must never say "verified" on an error or before an answer. */
import { Badge } from '../ui/badge.tsx';
import { AlertIcon, ShieldIcon, Spinner } from '../ui/icons.tsx';
import type { Verification } from './use-trail.ts';

export function VerifiedBadge({ verification }: { verification: Verification }) {
  if (verification === 'unknown') {
    return (
      <Badge>
        <Spinner className="size-3" /> checking the log
      </Badge>
    );
  }
  if ('sentence' in verification) {
    return (
      <Badge tone="bad" data-testid="trail-verified" data-ok="false" title={verification.sentence}>
        <AlertIcon className="size-3.5" /> log not checked
      </Badge>
    );
  }
  if (!verification.ok) {
    return (
      <Badge
        tone="bad"
        data-testid="trail-verified"
        data-ok="false"
        title={verification.problem || 'The log does not match its checkpoints.'}
      >
        <AlertIcon className="size-3.5" /> log does not verify
      </Badge>
    );
  }
  const size = Number(verification.size);
  const covered = Number(verification.checkpoint_size);
  return (
    <Badge
      tone="good"
      data-testid="trail-verified"
      data-ok="true"
      title={`All ${size} entries of this workspace were hashed again and match; the newest signed checkpoint covers ${covered}.`}
    >
      <ShieldIcon className="size-3.5" /> log verified
    </Badge>
  );
}
