/** The allow rules that a settings file among the files proposes, each letter by letter with what cannot be seen as a symbol, each accepted or left by itself; a file that changes nothing says why. */
import { useState } from 'react';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { HiddenText } from '../messages/hidden-text.tsx';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { leaveRule, leftOf, showAgain } from './left-rules.ts';
import { tellProposals } from './tell-proposals.ts';
import { useRepository } from './use-repository.ts';

/** Where the file lies, from the root of the files. */
const FILE = '.bravo/settings.json';

export function RepositoryCard() {
  const { workspace, id, state, recorded } = useOpenConversation();
  const ended = state.conversation?.status === 'ended';
  const { settings, problem, accepting, accept } = useRepository(workspace, id, ended, recorded);
  // Those of this visit; the storage knows those of earlier ones, and may not be there.
  const [leftNow, setLeftNow] = useState<ReadonlySet<string>>(new Set());
  const proposals = settings?.proposals ?? [];
  const left = new Set([...leftOf(id, proposals), ...proposals.filter((rule) => leftNow.has(`${id} ${rule}`))]);
  const waiting = proposals.filter((rule) => !left.has(rule));
  const leave = (rule: string) => {
    leaveRule(id, rule);
    setLeftNow(new Set([...leftNow, `${id} ${rule}`]));
  };
  const showLeft = () => {
    showAgain(id, [...left]);
    setLeftNow(new Set());
  };
  const accepted = settings?.accepted ?? [];
  const refused = settings?.refused_because ?? '';
  if (problem !== '') return <Notice>{problem}</Notice>;
  if (settings === null || (!settings.found && refused === '')) return null;
  if (refused !== '')
    return (
      <Notice tone="plain">
        {FILE} among the files changes nothing here: {revealedText(refused)}.
      </Notice>
    );
  if (settings.proposals.length === 0 && accepted.length === 0) return null;
  return (
    <details
      open={waiting.length > 0}
      data-testid="repository"
      className={`rounded-xl border bg-surface px-3 py-2 text-sm ${waiting.length > 0 ? 'border-ask-border' : 'border-border'}`}
    >
      <summary className="cursor-pointer">{tellProposals(waiting.length, accepted.length)}</summary>
      <p className="mt-1.5 text-xs text-muted">
        {FILE} among the files asks for them.{' '}
        {settings.trusted
          ? 'That file is vouched for.'
          : 'Nobody vouched for that file: whoever wrote it chose these words.'}{' '}
        What a rule you accept covers is done without asking in this conversation, save what is always asked. One you
        leave changes nothing; this browser remembers it.
      </p>
      <ul className="scroll-slim mt-2 max-h-56 space-y-2 overflow-y-auto">
        {waiting.map((rule) => (
          <li
            key={rule}
            data-testid="proposal"
            className="flex items-start justify-between gap-2 border-t border-border pt-2"
          >
            <code className="exact min-w-0 flex-1 rounded-lg bg-sunken px-2.5 py-1.5">
              <HiddenText text={rule} />
            </code>
            <span className="flex shrink-0 gap-1.5">
              <Button
                look="accent"
                size="small"
                data-testid="accept-rule"
                disabled={accepting !== ''}
                aria-label={`Accept the rule ${revealedText(rule)}`}
                onClick={() => void accept(rule)}
              >
                Accept
              </Button>
              <Button
                size="small"
                data-testid="leave-rule"
                disabled={accepting === rule}
                aria-label={`Leave the rule ${revealedText(rule)}`}
                onClick={() => leave(rule)}
              >
                Leave
              </Button>
            </span>
          </li>
        ))}
        {accepted.map((rule) => (
          <li key={rule} data-testid="accepted-rule" className="border-t border-border pt-2">
            <code className="exact rounded-lg bg-sunken px-2.5 py-1.5">
              <HiddenText text={rule} />
            </code>
            <span className="ml-2 text-xs text-muted">accepted by you, until the conversation ends</span>
          </li>
        ))}
        {left.size > 0 && (
          <li className="border-t border-border pt-2 text-xs text-muted">
            {left.size === 1 ? '1 rule' : `${left.size} rules`} left: nothing is allowed by{' '}
            {left.size === 1 ? 'it' : 'them'}.{' '}
            <button type="button" className="underline" data-testid="show-left" onClick={showLeft}>
              Show again
            </button>
          </li>
        )}
      </ul>
    </details>
  );
}
