/** The bell: how much was not read, and the newest of it. It must never show what could not be read as nothing. */
import { useCallback, useEffect, useState } from 'react';
import { problemText, toProblem } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { listNotifications, markAllRead, type Notification } from './notifications.client.ts';
import { PreferencesForm } from './preferences-form.tsx';

const LOOK_MS = 15_000;

export function Bell({ workspace, onSelect }: { workspace: string; onSelect: (conversation: string) => void }) {
  const [open, setOpen] = useState(false);
  const [setting, setSetting] = useState(false);
  const [notifications, setNotifications] = useState<Notification[]>([]);
  const [unread, setUnread] = useState(0);
  const [problem, setProblem] = useState('');

  const look = useCallback(async (): Promise<void> => {
    try {
      const answer = await listNotifications(workspace);
      setNotifications(answer.notifications);
      setUnread(answer.unread);
      setProblem('');
    } catch (error) {
      setProblem(problemText(toProblem(error)));
    }
  }, [workspace]);

  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => clearInterval(timer);
  }, [look]);

  const readAll = async (): Promise<void> => {
    await markAllRead(workspace).catch((error: unknown) => setProblem(problemText(toProblem(error))));
    await look();
  };

  return (
    <div className="mt-1">
      <Button
        look="ghost"
        className="w-full"
        aria-expanded={open}
        data-testid="bell"
        onClick={() => {
          setOpen(!open);
          void look();
        }}
      >
        Notifications
        {unread > 0 && (
          <span className="rounded-full bg-accent px-1.5 text-xs text-white tabular-nums" data-testid="unread">
            {unread}
          </span>
        )}
      </Button>
      {open && (
        <div
          className="mt-1 rounded-lg border border-border bg-surface p-2 text-sm shadow-card"
          data-testid="notifications"
        >
          {problem !== '' && (
            <p role="alert" className="text-bad wrap-anywhere">
              {problem}
            </p>
          )}
          {notifications.length === 0 && problem === '' && <p className="text-muted">Nothing so far.</p>}
          <ul className="scroll-slim max-h-64 space-y-1 overflow-y-auto">
            {notifications.map(({ id, text, conversation_id, read, time }) => (
              <li key={id}>
                <button
                  type="button"
                  disabled={conversation_id === ''}
                  onClick={() => onSelect(conversation_id)}
                  className={`w-full rounded-md px-1.5 py-1 text-left hover:bg-raised ${read ? 'text-muted' : 'font-medium'}`}
                >
                  {text}
                  <span className="block text-xs font-normal text-muted">{new Date(time).toLocaleString()}</span>
                </button>
              </li>
            ))}
          </ul>
          <p className="mt-1 flex gap-2">
            <Button look="ghost" disabled={unread === 0} onClick={() => void readAll()}>
              All read
            </Button>
            <Button look="ghost" aria-expanded={setting} onClick={() => setSetting(!setting)}>
              Settings
            </Button>
          </p>
          {setting && <PreferencesForm workspace={workspace} />}
        </div>
      )}
    </div>
  );
}
