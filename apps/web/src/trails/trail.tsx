/** The story of a conversation as the log holds it: who asked, what was decided and why, who approved, what ran, what came back. */
import { useMemo, useState } from 'react';
import type { AuditEntry, Person } from '../api/contract.ts';
import { problemText } from '../api/problem.ts';
import { HiddenText } from '../messages/hidden-text.tsx';
import { AlertIcon, CheckIcon, ChevronIcon, CrossIcon, DotIcon, PersonIcon, ToolIcon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { tellEntry, type NameOf, type TrailTone } from './tell-entry.ts';
import type { TrailState } from './use-trail.ts';

const MARKS: Record<TrailTone, { look: string; Icon: typeof DotIcon }> = {
  person: { look: 'bg-accent-soft text-accent', Icon: PersonIcon },
  agent: { look: 'border border-border bg-surface text-foreground', Icon: ToolIcon },
  ask: { look: 'bg-ask-soft text-ask', Icon: AlertIcon },
  good: { look: 'bg-good-soft text-good', Icon: CheckIcon },
  bad: { look: 'bg-bad-soft text-bad', Icon: CrossIcon },
  plain: { look: 'border border-border bg-surface text-muted', Icon: DotIcon },
};

export function Trail({ trail, me, quotes }: { trail: TrailState; me: Person; quotes: ReadonlyMap<string, string> }) {
  const nameOf = useMemo<NameOf>(
    () => (actor) => {
      const [kind, id = ''] = actor.split(':', 2);
      if (kind === 'bravo') return '@bravo';
      if (kind === 'service') return 'The platform';
      return id === me.id ? me.display_name || me.name : id || 'Somebody';
    },
    [me],
  );
  return (
    <div>
      {trail.problem && <Notice className="mb-4">{problemText(trail.problem)}</Notice>}
      {trail.loaded && trail.entries.length === 0 && !trail.problem && (
        <p className="text-muted">
          Nothing is recorded yet. What happens in this conversation appears here as it is written to the log.
        </p>
      )}
      <ol data-testid="trail" className="relative">
        {trail.entries.map((entry, index) => (
          <TrailItem
            key={entry.event_id || entry.index}
            entry={entry}
            nameOf={nameOf}
            quote={quoteOf(entry, quotes)}
            last={index === trail.entries.length - 1}
          />
        ))}
      </ol>
    </div>
  );
}

function TrailItem({
  entry,
  nameOf,
  quote,
  last,
}: {
  entry: AuditEntry;
  nameOf: NameOf;
  quote: string;
  last: boolean;
}) {
  const [open, setOpen] = useState(false);
  const line = useMemo(() => tellEntry(entry, nameOf), [entry, nameOf]);
  const { look, Icon } = MARKS[line.tone];
  const time = new Date(entry.time);
  return (
    <li className="relative flex gap-3 pb-4" data-type={entry.type}>
      {!last && <span aria-hidden="true" className="absolute top-8 bottom-0 left-[0.8125rem] w-px bg-border" />}
      <span
        aria-hidden="true"
        className={`z-10 mt-0.5 grid size-[1.625rem] shrink-0 place-items-center rounded-full ${look}`}
      >
        <Icon className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <p className="min-w-0 font-medium break-words">
            <HiddenText text={line.title} />
          </p>
          <button
            type="button"
            aria-expanded={open}
            aria-label={`Entry ${entry.index} as recorded`}
            title={`Entry ${entry.index}, ${time.toLocaleString()}`}
            onClick={() => setOpen(!open)}
            className="-my-1 -mr-1.5 inline-flex shrink-0 items-center gap-1 rounded px-1.5 py-1 text-xs text-muted tabular-nums hover:bg-raised hover:text-foreground"
          >
            <time dateTime={entry.time}>
              {time.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}
            </time>
            <ChevronIcon className={`size-3 transition-transform ${open ? 'rotate-90' : ''}`} />
          </button>
        </div>
        {quote !== '' && (
          <blockquote
            title="These words hash to the digest in the log"
            className="mt-0.5 line-clamp-2 text-sm break-words text-muted"
          >
            “<HiddenText text={quote} />”
          </blockquote>
        )}
        {line.details.map((detail, index) => (
          <p key={index} className="text-sm break-words text-muted">
            <HiddenText text={detail} />
          </p>
        ))}
        {line.facts.length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted">
            {line.facts.map(([name, value]) => (
              <li key={name} title={value} className="max-w-full truncate">
                {name} <span className="font-mono text-foreground">{shorten(value)}</span>
              </li>
            ))}
          </ul>
        )}
        {open && <RawEntry entry={entry} />}
      </div>
    </li>
  );
}

function quoteOf(entry: AuditEntry, quotes: ReadonlyMap<string, string>): string {
  if (entry.type !== 'agent.message.received' && entry.type !== 'agent.message.sent') return '';
  const digest = entry.data['digest'];
  return typeof digest === 'string' ? (quotes.get(digest) ?? '').replace(/\s+/g, ' ').trim() : '';
}

/** A digest is known by its beginning; the whole stands in the title and in the entry. */
function shorten(value: string): string {
  return /^(sha256:)?[0-9a-f]{40,}$/.test(value) ? `${value.slice(0, value.startsWith('sha256:') ? 19 : 12)}…` : value;
}

function RawEntry({ entry }: { entry: AuditEntry }) {
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Entry ${entry.index} in full`}
      className="exact scroll-slim mt-1.5 max-h-72 overflow-y-auto rounded-lg bg-sunken px-3 py-2.5"
    >
      <HiddenText
        text={JSON.stringify(
          {
            type: entry.type,
            actor: entry.actor,
            on_behalf_of: entry.on_behalf_of,
            producer: entry.producer,
            event_id: entry.event_id,
            leaf_hash: entry.leaf_hash,
            data: entry.data,
          },
          null,
          2,
        )}
      />
    </div>
  );
}
