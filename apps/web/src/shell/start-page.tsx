/** What a person sees with no conversation open. */
import type { Membership, Person } from '../api/contract.ts';
import { SettingsHealth } from '../settings/settings-health.tsx';
import { Button } from '../ui/button.tsx';
import { AlertIcon, MenuIcon, PlusIcon, ShieldIcon, Spinner, ToolIcon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { UsageCard } from '../usage/usage-card.tsx';
import { AvailabilityNotices } from './availability-notices.tsx';
import type { Availability } from './use-availability.ts';

const PROMISES = [
  {
    Icon: ToolIcon,
    title: 'It works in a sandbox',
    text: 'Each conversation has its own agent and its own files. Programs run without network, inside limits.',
  },
  {
    Icon: AlertIcon,
    title: 'It asks first',
    text: 'You see the exact code or change before it happens, and what comes back stays with you unless you hand it on.',
  },
  {
    Icon: ShieldIcon,
    title: 'It leaves a record',
    text: 'Who asked, what was decided and why, what ran: in a log that anyone with access can verify.',
  },
];

export interface StartPageProps {
  membership: Membership;
  person: Person;
  availability: Availability;
  creating: boolean;
  problem: string;
  onNew: () => void;
  onMenu: (() => void) | null;
}

export function StartPage({ membership, person, availability, creating, problem, onNew, onMenu }: StartPageProps) {
  return (
    <main className="scroll-slim min-w-0 flex-1 overflow-y-auto">
      {onMenu && (
        <div className="flex h-14 items-center px-3">
          <Button look="ghost" size="icon" aria-label="Conversations" onClick={onMenu} data-testid="menu">
            <MenuIcon className="size-5" />
          </Button>
        </div>
      )}
      <div className="mx-auto flex max-w-xl flex-col gap-7 px-6 py-10 sm:py-[12vh]">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">
            Hello {(person.display_name || person.name).split(' ')[0]}. What should @bravo do in{' '}
            {membership.workspace_name || membership.workspace_slug}?
          </h1>
          <p className="mt-2 text-muted">Describe it in your own words, or go on with an earlier conversation.</p>
        </div>
        <AvailabilityNotices availability={availability} />
        {problem !== '' && <Notice>{problem}</Notice>}
        <Button look="primary" className="self-start" disabled={creating || availability.off !== ''} onClick={onNew}>
          {creating ? <Spinner /> : <PlusIcon />} Start a conversation
        </Button>
        {availability.off === '' && <UsageCard key={membership.workspace_slug} workspace={membership.workspace_slug} />}
        {membership.permissions.includes('manage_members') && availability.off === '' && (
          <SettingsHealth workspace={membership.workspace_slug} />
        )}
        <ul className="space-y-4 border-t border-border pt-7">
          {PROMISES.map(({ Icon, title, text }) => (
            <li key={title} className="flex gap-3">
              <Icon className="mt-0.5 size-5 shrink-0 text-accent" />
              <p>
                <span className="font-medium">{title}.</span> <span className="text-muted">{text}</span>
              </p>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
