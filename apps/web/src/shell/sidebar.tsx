/** Workspace, conversations and the signed-in person; a column on wide screens, a drawer on narrow ones. */
import { Bell } from '../notifications/bell.tsx';
import { useEffect, useRef } from 'react';
import { signOut } from '../api/bravo.client.ts';
import type { Session } from '../api/contract.ts';
import { formatMoment } from '../messages/format-amounts.ts';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { Avatar } from '../sessions/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { CrossIcon, ExitIcon, Mark, MoonIcon, PlusIcon, ShieldIcon, Spinner, SunIcon } from '../ui/icons.tsx';
import type { ConversationList } from './use-conversations.ts';
import { useTheme } from './use-theme.ts';

export interface SidebarProps {
  session: Session;
  workspace: string;
  list: ConversationList;
  selected: string;
  drawer: boolean;
  open: boolean;
  creating: boolean;
  /** @bravo cannot be used here; why is said in the main area. */
  off: boolean;
  onNew: () => void;
  onClose: () => void;
  onSelect: (id: string) => void;
  /** Absent for whoever may not read the whole trail. */
  onTrail: (() => void) | null;
  onWorkspace: (slug: string) => void;
  onSignedOut: () => void;
}

export function Sidebar(props: SidebarProps) {
  const {
    session,
    workspace,
    list,
    selected,
    drawer,
    open,
    creating,
    off,
    onNew,
    onClose,
    onSelect,
    onTrail,
    onWorkspace,
    onSignedOut,
  } = props;
  const { dark, toggle } = useTheme();
  const nav = useRef<HTMLElement>(null);
  const { person, memberships } = session;

  useEffect(() => {
    if (!drawer || !open) return;
    nav.current?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [drawer, open, onClose]);

  if (!open) return null;
  return (
    <>
      {drawer && <div aria-hidden="true" className="fixed inset-0 z-30 bg-black/40" onClick={onClose} />}
      <nav
        ref={nav}
        tabIndex={-1}
        aria-label="Conversations"
        className={`flex h-full w-[17rem] shrink-0 flex-col border-r border-border bg-sunken outline-none ${drawer ? 'fixed inset-y-0 left-0 z-40 max-w-[85vw] shadow-sheet' : ''}`}
      >
        <div className="flex h-14 shrink-0 items-center gap-2.5 px-3.5">
          <Mark className="size-7" />
          {memberships.length > 1 ? (
            <select
              aria-label="Workspace"
              value={workspace}
              onChange={(event) => onWorkspace(event.target.value)}
              className="min-w-0 flex-1 rounded-md bg-transparent py-1 font-semibold"
            >
              {memberships.map((m) => (
                <option key={m.workspace_id} value={m.workspace_slug}>
                  {m.workspace_name || m.workspace_slug}
                </option>
              ))}
            </select>
          ) : (
            <span className="min-w-0 flex-1 truncate font-semibold tracking-tight" data-testid="workspace">
              {memberships[0]?.workspace_name || workspace}
            </span>
          )}
          {drawer && (
            <Button look="ghost" size="icon" aria-label="Close the list" onClick={onClose}>
              <CrossIcon />
            </Button>
          )}
        </div>
        <div className="px-3 pb-3">
          <Button data-testid="new-conversation" disabled={creating || off} onClick={onNew} className="w-full">
            {creating ? <Spinner /> : <PlusIcon />} New conversation
          </Button>
          {onTrail && (
            <Button
              look="ghost"
              aria-current={selected === 'trail' ? 'page' : undefined}
              data-testid="open-trail"
              onClick={onTrail}
              className="mt-1 w-full"
            >
              <ShieldIcon className="size-4" /> Trail of the workspace
            </Button>
          )}
          <Bell key={workspace} workspace={workspace} onSelect={onSelect} />
        </div>
        <ul
          className="scroll-slim min-h-0 flex-1 space-y-0.5 overflow-y-auto px-2 pb-2"
          data-testid="conversation-list"
        >
          {list.problem !== '' && !off && (
            <li role="alert" className="px-2 py-2 text-sm text-bad wrap-anywhere">
              {list.problem}
            </li>
          )}
          {list.loaded && list.conversations.length === 0 && list.problem === '' && (
            <li className="px-2 py-2 text-sm text-muted">No conversations yet.</li>
          )}
          {list.conversations.map((conversation) => {
            const ended = conversation.status === 'ended';
            return (
              <li key={conversation.id}>
                <button
                  type="button"
                  aria-current={conversation.id === selected ? 'page' : undefined}
                  onClick={() => onSelect(conversation.id)}
                  className="flex w-full items-baseline gap-2 rounded-lg px-2.5 py-2 text-left text-sm transition-colors hover:bg-raised aria-[current]:bg-surface aria-[current]:font-medium aria-[current]:shadow-card"
                >
                  <span className={`min-w-0 flex-1 truncate ${ended ? 'text-muted' : ''}`}>
                    {revealedText(conversation.title) || 'New conversation'}
                  </span>
                  <span className="shrink-0 text-xs font-normal text-muted tabular-nums">
                    {ended
                      ? 'ended'
                      : formatMoment(Date.parse(conversation.updated_at || conversation.created_at), Date.now())}
                  </span>
                </button>
              </li>
            );
          })}
          {list.hasMore && (
            <li>
              <Button look="ghost" size="small" className="w-full" onClick={() => void list.loadMore()}>
                Show older ones
              </Button>
            </li>
          )}
        </ul>
        <div className="flex shrink-0 items-center gap-2.5 border-t border-border px-3 py-2.5">
          <Avatar name={person.display_name || person.name} className="size-8 text-sm" />
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate text-sm font-medium">{person.display_name || person.name}</span>
            <span className="block truncate text-xs text-muted">
              {memberships.find((m) => m.workspace_slug === workspace)?.role}
            </span>
          </span>
          <Button
            look="ghost"
            size="icon"
            aria-label={dark ? 'Switch to light' : 'Switch to dark'}
            title={dark ? 'Light' : 'Dark'}
            onClick={toggle}
            data-testid="theme"
          >
            {dark ? <SunIcon /> : <MoonIcon />}
          </Button>
          <Button
            look="ghost"
            size="icon"
            aria-label="Sign out"
            title="Sign out"
            data-testid="sign-out"
            onClick={() => void signOut().finally(onSignedOut)}
          >
            <ExitIcon />
          </Button>
        </div>
      </nav>
    </>
  );
}
