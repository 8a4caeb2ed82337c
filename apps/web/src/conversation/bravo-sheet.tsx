/** The "@bravo" sheet: the conversation itself, the questions in it and the composer. */
import { Button } from '../ui/button.tsx';
import { CrossIcon, Mark } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { Announcer } from './announcer.tsx';
import { Composer } from './composer.tsx';
import { useOpenConversation } from './conversation-context.tsx';
import { openQuestions } from './conversation-state.ts';
import { EmptyThread } from './empty-thread.tsx';
import { FilesDialog } from '../files/files-dialog.tsx';
import { ModelPicker } from '../models/model-picker.tsx';
import { GrantList } from '../grants/grant-list.tsx';
import { RepositoryCard } from '../repositories/repository-card.tsx';
import { ScheduleList } from '../schedules/schedule-list.tsx';
import { GoToQuestion } from '../questions/go-to-question.tsx';
import { ToldDialog } from '../told/told-dialog.tsx';
import { StatusLine } from './status-line.tsx';
import { StepUpCard } from './step-up-card.tsx';
import { Thread, ThreadProvider } from './thread.tsx';

export function BravoSheet({ onClose, disabledBecause }: { onClose: () => void; disabledBecause: string }) {
  const { workspace, id, state, problem, dismissProblem, loaded } = useOpenConversation();
  const question = openQuestions(state)[0];
  return (
    <ThreadProvider>
      <div className="flex h-full min-h-0 flex-col bg-background">
        <header className="flex h-14 shrink-0 items-center gap-2.5 border-b border-border bg-surface px-4">
          <Mark className="size-6" />
          <h2 className="flex-1 font-semibold tracking-tight">@bravo</h2>
          {loaded && disabledBecause === '' && state.conversation?.status !== 'ended' && (
            <>
              <ModelPicker workspace={workspace} conversation={id} />
              <FilesDialog workspace={workspace} conversation={id} />
              <ToldDialog workspace={workspace} conversation={id} />
            </>
          )}
          <Button
            look="ghost"
            size="icon"
            aria-label="Close the @bravo sheet"
            title="Close"
            onClick={onClose}
            data-testid="sheet-close"
          >
            <CrossIcon />
          </Button>
        </header>
        <Thread
          empty={loaded && <EmptyThread disabled={disabledBecause !== ''} />}
          footer={
            <div className="shrink-0 space-y-2 px-3 pt-1 pb-3">
              <div className="flex items-center gap-2">
                <div className="min-w-0 flex-1">
                  <StatusLine />
                </div>
                {question && <GoToQuestion callId={question.id} />}
              </div>
              {problem !== '' && (
                <Notice
                  action={
                    <button type="button" aria-label="Dismiss" onClick={dismissProblem} className="-m-1 rounded p-1">
                      <CrossIcon className="size-4" />
                    </button>
                  }
                >
                  {problem}
                </Notice>
              )}
              <RepositoryCard />
              <GrantList />
              <ScheduleList />
              <Composer disabledBecause={disabledBecause} />
            </div>
          }
        >
          <StepUpCard />
          {state.problem && <Notice>{state.problem}</Notice>}
        </Thread>
        <Announcer />
      </div>
    </ThreadProvider>
  );
}
