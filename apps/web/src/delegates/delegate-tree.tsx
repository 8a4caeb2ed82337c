/** The delegates below a conversation, each with its state, its task and what it cost, and each a way to where it works; nothing where there is none. */
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { HiddenText } from '../messages/hidden-text.tsx';
import { Badge } from '../ui/badge.tsx';
import { isAtWork, useDelegates } from './use-delegates.ts';

export function DelegateTree() {
  const { workspace, id, recorded } = useOpenConversation();
  const delegates = useDelegates(workspace, id, recorded);
  if (delegates.length === 0) return null;
  const tokens = delegates.reduce((sum, one) => sum + one.input_tokens + one.output_tokens, 0);
  const top = Math.min(...delegates.map(({ depth }) => depth));
  return (
    <section aria-labelledby="delegates-title" data-testid="delegates" className="space-y-2">
      <div className="flex items-baseline justify-between gap-2">
        <h2 id="delegates-title" className="text-lg font-semibold tracking-tight">
          Delegates
        </h2>
        <span className="text-sm text-muted tabular-nums">{tokens.toLocaleString('en')} tokens in all</span>
      </div>
      <ul className="space-y-1.5">
        {delegates.map((one) => (
          <li
            key={one.conversation_id}
            data-testid="delegate"
            data-state={one.state}
            style={{ marginInlineStart: `${(one.depth - top) * 1.25}rem` }}
            className="rounded-lg border border-border bg-surface px-3 py-2"
          >
            <a
              href={`#/${encodeURIComponent(workspace)}/${encodeURIComponent(one.conversation_id)}`}
              className="flex min-w-0 items-center gap-2"
            >
              <span className="font-medium">{one.name}</span>
              <span className="text-sm text-muted">{one.kind}</span>
              <span className="min-w-0 flex-1 truncate text-sm">
                <HiddenText text={one.task} />
              </span>
              <Badge tone={isAtWork(one) ? 'accent' : 'plain'}>{one.state}</Badge>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
