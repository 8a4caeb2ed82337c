/** What is scheduled in the conversation: each loop, goal and watch with its line and when it comes, and one click that ends it. */
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { useNow } from '../conversation/use-now.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { scheduleState, scheduleTitle } from './tell-schedule.ts';
import { cancelSchedule, listSchedules } from '../api/bravo.client.ts';
import { useStanding } from '../conversation/use-standing.ts';

export function ScheduleList() {
  const { workspace, id, recorded } = useOpenConversation();
  const {
    items: schedules,
    problem,
    end: cancel,
  } = useStanding(listSchedules, cancelSchedule, {
    ...{ workspace, id },
    news: recorded,
  });
  const live = schedules.filter(({ status }) => status === 'live');
  const now = useNow(live.length > 0);
  if (problem !== '') return <Notice>{problem}</Notice>;
  if (schedules.length === 0) return null;
  return (
    <details
      open={live.length > 0}
      data-testid="schedules"
      className="rounded-xl border border-border bg-surface px-3 py-2 text-sm"
    >
      <summary className="cursor-pointer">
        {live.length === 0 ? 'Nothing is scheduled any more' : `${live.length} scheduled`} in this conversation
      </summary>
      <ul className="scroll-slim mt-2 max-h-56 space-y-3 overflow-y-auto">
        {schedules.map((schedule) => (
          <li
            key={schedule.id}
            data-testid="schedule"
            data-status={schedule.status}
            className="border-t border-border pt-2"
          >
            <div className="flex items-start justify-between gap-2">
              <div className="min-w-0">
                <span className="font-medium break-words">{revealedText(scheduleTitle(schedule))}</span>
                <p className="truncate">“{revealedText(schedule.line)}”</p>
                <p className="text-muted">{scheduleState(schedule, now)}</p>
              </div>
              {schedule.status === 'live' && (
                <Button
                  look="danger"
                  size="small"
                  data-testid="cancel-schedule"
                  aria-label={`Stop: ${revealedText(scheduleTitle(schedule))}`}
                  onClick={() => void cancel(schedule.id)}
                >
                  Stop
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
