/** The signed-in page: conversations on the left, the trail in the middle, @bravo on the right. */
import { useCallback, useEffect, useState } from 'react';
import { createConversation } from '../api/bravo.client.ts';
import type { Session } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { ConversationView } from './conversation-view.tsx';
import { Sidebar } from './sidebar.tsx';
import { TrailPage } from '../trails/trail-page.tsx';
import { SkipLink } from './skip-link.tsx';
import { StartPage } from './start-page.tsx';
import { useAvailability } from './use-availability.ts';
import { useConversations } from './use-conversations.ts';
import { useMedia } from './use-media.ts';
import { useRoute } from './use-route.ts';

/** In the place of a conversation in the address: no conversation has such an id. */
const TRAIL = 'trail';

export function AppShell({ session, onSignedOut }: { session: Session; onSignedOut: () => void }) {
  const [route, go] = useRoute();
  const [menuOpen, setMenuOpen] = useState(false);
  const [creating, setCreating] = useState(false);
  const [problem, setProblem] = useState('');
  const wide = useMedia('(min-width: 1200px)');
  const membership = session.memberships.find((m) => m.workspace_slug === route.workspace) ?? session.memberships[0];
  const workspace = membership?.workspace_slug ?? '';
  const list = useConversations(workspace);
  const availability = useAvailability(workspace, session.warnings);

  // An address that names no workspace of this person leads to their own.
  useEffect(() => {
    if (workspace !== '' && route.workspace !== workspace) go({ workspace, conversation: '' });
  }, [workspace, route.workspace, go]);

  const { refresh } = list;
  const startNew = useCallback(async () => {
    setCreating(true);
    setProblem('');
    try {
      const conversation = await createConversation(workspace, 'coworker');
      await refresh();
      go({ workspace, conversation: conversation.id });
      setMenuOpen(false);
    } catch (error) {
      setProblem(problemText(toProblem(error)));
    } finally {
      setCreating(false);
    }
  }, [workspace, refresh, go]);

  if (!membership) {
    return (
      <main className="grid h-full place-items-center p-6 text-center text-muted">
        <p>
          You are signed in as {session.person.display_name || session.person.name}, but belong to no workspace yet. Ask
          an admin to add you.
        </p>
      </main>
    );
  }
  const mayReadTrail = membership.permissions.includes('audit_read');
  const openMenu = wide ? null : () => setMenuOpen(true);
  const conversation = route.workspace === workspace ? route.conversation : '';
  return (
    <div className="flex h-full overflow-hidden">
      {conversation !== '' && conversation !== TRAIL && <SkipLink />}
      <Sidebar
        session={session}
        workspace={workspace}
        list={list}
        selected={conversation}
        drawer={!wide}
        open={wide || menuOpen}
        creating={creating}
        off={availability.off !== ''}
        onNew={() => void startNew()}
        onClose={() => setMenuOpen(false)}
        onTrail={
          mayReadTrail
            ? () => {
                go({ workspace, conversation: TRAIL });
                setMenuOpen(false);
              }
            : null
        }
        onSelect={(id) => {
          go({ workspace, conversation: id });
          setMenuOpen(false);
        }}
        onWorkspace={(slug) => go({ workspace: slug, conversation: '' })}
        onSignedOut={onSignedOut}
      />
      {conversation === TRAIL && mayReadTrail ? (
        <TrailPage key={workspace} workspace={workspace} me={session.person} onMenu={openMenu} />
      ) : conversation === '' || conversation === TRAIL ? (
        <StartPage
          membership={membership}
          person={session.person}
          availability={availability}
          creating={creating}
          problem={problem}
          onNew={() => void startNew()}
          onMenu={openMenu}
        />
      ) : (
        <ConversationView
          key={`${workspace}/${conversation}`}
          workspace={workspace}
          id={conversation}
          person={session.person}
          availability={availability}
          onMenu={openMenu}
          onChanged={() => void refresh()}
          onEnded={() => void refresh()}
        />
      )}
    </div>
  );
}
