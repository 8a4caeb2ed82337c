/** Says whether the workspace's log verifies, in the verifier's own words; it must never say "verified" on an error or before an answer. */
import type { AuditVerification } from '../api/contract.ts';
import type { Problem } from '../api/problem.ts';
import { Badge } from '../ui/badge.tsx';
import { AlertIcon, ShieldIcon, Spinner } from '../ui/icons.tsx';

export function VerifiedBadge({
  verification,
  problem,
}: {
  verification: AuditVerification | null;
  problem: Problem | null;
}) {
  if (problem) {
    return (
      <Badge
        tone={problem.status === 403 ? 'plain' : 'bad'}
        data-testid="trail-verified"
        data-ok="false"
        title={problem.sentence}
      >
        <AlertIcon className="size-3.5" /> {problem.status === 403 ? 'log not open to you' : 'log not checked'}
      </Badge>
    );
  }
  if (!verification) {
    return (
      <Badge>
        <Spinner className="size-3" /> checking the log
      </Badge>
    );
  }
  const size = Number(verification.size);
  if (verification.ok) {
    return (
      <Badge
        tone="good"
        data-testid="trail-verified"
        data-ok="true"
        title={`All ${size} entries of this workspace were hashed again and match; the newest signed checkpoint covers ${Number(verification.checkpoint_size)}.`}
      >
        <ShieldIcon className="size-3.5" /> log verified
      </Badge>
    );
  }
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
