/** The live grants of the conversation with what each covers and how long it holds; one click ends any of them. */
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { useNow } from '../conversation/use-now.ts';
import { callTitle } from '../messages/describe-call.ts';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { givenBy, lifeLeft } from './describe-grant.ts';
import { ScopeList } from './scope-list.tsx';
import { listGrants, revokeGrant } from '../api/bravo.client.ts';
import { useStanding } from '../conversation/use-standing.ts';

export function GrantList() {
  const { workspace, id, recorded } = useOpenConversation();
  const {
    items: grants,
    problem,
    end: revoke,
  } = useStanding(listGrants, revokeGrant, {
    ...{ workspace, id },
    news: recorded,
  });
  const now = useNow(grants.length > 0);
  const live = grants.filter(({ expires_at }) => Date.parse(expires_at) > now);
  if (problem !== '') return <Notice>{problem}</Notice>;
  if (live.length === 0) return null;
  return (
    <details data-testid="grants" className="rounded-xl border border-border bg-surface px-3 py-2 text-sm">
      <summary className="cursor-pointer">
        {live.length === 1 ? '1 grant' : `${live.length} grants`} in this conversation
      </summary>
      <ul className="scroll-slim mt-2 max-h-56 space-y-3 overflow-y-auto">
        {live.map((grant) => (
          <li key={grant.id} data-testid="grant" className="border-t border-border pt-2">
            <div className="flex items-start justify-between gap-2">
              <div>
                <span className="font-medium">{revealedText(callTitle(grant.tool))}</span>{' '}
                <span className="text-muted">
                  · {givenBy(grant.source)} · {lifeLeft(Date.parse(grant.expires_at) - now)} left
                </span>
              </div>
              <Button
                look="danger"
                size="small"
                data-testid="revoke-grant"
                aria-label={`Revoke the grant for ${revealedText(callTitle(grant.tool))}`}
                onClick={() => void revoke(grant.id)}
              >
                Revoke
              </Button>
            </div>
            <ScopeList tool={grant.tool} scope={grant.scope} />
          </li>
        ))}
      </ul>
    </details>
  );
}
