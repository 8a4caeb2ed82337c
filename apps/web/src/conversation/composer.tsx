/** Where the person writes: Enter sends, Shift+Enter breaks the line; a message may be sent while a turn is at work and then waits. */
import { ComposerPrimitive } from '@assistant-ui/react';
import { useEffect, useRef } from 'react';
import { isWaiting } from './conversation-state.ts';
import { useOpenConversation } from './conversation-context.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { SendIcon, StopIcon } from '../ui/icons.tsx';
import { Button } from '../ui/button.tsx';

export function Composer({ disabledBecause }: { disabledBecause: string }) {
  const { state, loaded, cancel, changeMode } = useOpenConversation();
  const ended = state.conversation?.status === 'ended';
  const why = ended ? 'This conversation has ended. Start a new one to go on.' : disabledBecause;
  const disabled = why !== '' || !loaded;
  const empty = loaded && !disabled && state.messages.length === 0;
  const input = useRef<HTMLTextAreaElement>(null);
  // A new conversation is opened to write in it; on a touch screen this would bring up the keyboard unasked.
  useEffect(() => {
    if (empty && matchMedia('(pointer: fine)').matches) input.current?.focus();
  }, [empty]);
  const queued = state.messages.filter(isWaiting).length;
  return (
    <ComposerPrimitive.Root className="rounded-2xl border border-border-strong bg-surface shadow-card transition-colors focus-within:border-accent">
      <ComposerPrimitive.Input
        ref={input}
        data-testid="composer"
        aria-label="Message to @bravo"
        aria-describedby="composer-hint"
        placeholder={why || 'Ask @bravo…'}
        disabled={disabled}
        minRows={1}
        maxRows={9}
        unstable_focusOnRunStart={false}
        unstable_focusOnScrollToBottom={false}
        unstable_focusOnThreadSwitched={false}
        cancelOnEscape={false}
        addAttachmentOnPaste={false}
        className="scroll-slim block w-full resize-none bg-transparent px-3.5 pt-3 pb-1.5 outline-none placeholder:text-muted disabled:cursor-not-allowed"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <ModeSwitch
          mode={state.conversation?.mode ?? 'ask'}
          disabled={disabled}
          onChange={(mode) => void changeMode(mode)}
        />
        <span id="composer-hint" className="min-w-0 flex-1 truncate text-right text-xs text-muted">
          {queued > 0 ? (
            `${queued} queued`
          ) : (
            <span className="sr-only">Enter sends, Shift and Enter starts a new line.</span>
          )}
        </span>
        {state.phase !== 'idle' && (
          <Button
            look="outline"
            size="icon"
            data-testid="cancel"
            aria-label="Stop @bravo"
            title="Stop @bravo"
            className="rounded-full"
            onClick={() => void cancel()}
          >
            <StopIcon />
          </Button>
        )}
        <ComposerPrimitive.Send
          data-testid="send"
          aria-label={state.phase === 'idle' ? 'Send' : 'Queue this message behind the present turn'}
          className="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-accent-foreground transition-colors hover:bg-accent-hover disabled:bg-sunken disabled:text-muted"
        >
          <SendIcon />
        </ComposerPrimitive.Send>
      </div>
    </ComposerPrimitive.Root>
  );
}
