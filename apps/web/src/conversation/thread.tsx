/** The messages of the conversation in assistant-ui's thread, fed from our own state; it must never keep a second copy of the truth. */
import {
  AssistantRuntimeProvider,
  type AppendMessage,
  ThreadPrimitive,
  type ThreadMessageLike,
  useExternalStoreRuntime,
} from '@assistant-ui/react';
import { type ReactNode, useState } from 'react';
import { MessageView } from '../messages/message-view.tsx';
import { Button } from '../ui/button.tsx';
import { ChevronIcon, Spinner } from '../ui/icons.tsx';
import { useOpenConversation } from './conversation-context.tsx';
import type { UiMessage } from './conversation-state.ts';

export function ThreadProvider({ children }: { children: ReactNode }) {
  const { state, send, cancel } = useOpenConversation();
  const runtime = useExternalStoreRuntime<UiMessage>({
    messages: state.messages,
    convertMessage: toThreadMessage,
    // Our own phase says what runs. For the library the composer is always free, since a message may be queued behind a turn.
    isRunning: false,
    onNew: (message) => send(wordsOf(message)),
    onCancel: cancel,
  });
  return <AssistantRuntimeProvider runtime={runtime}>{children}</AssistantRuntimeProvider>;
}

function toThreadMessage(message: UiMessage): ThreadMessageLike {
  return {
    id: message.id,
    role: message.role,
    createdAt: new Date(message.createdAt),
    content: message.parts.flatMap((part) =>
      part.kind === 'text' ? [{ type: 'text' as const, text: part.text }] : [],
    ),
    ...(message.role === 'assistant' ? { status: { type: 'complete' as const, reason: 'stop' as const } } : {}),
  };
}

function wordsOf(message: AppendMessage): string {
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function Thread({ empty, children, footer }: { empty: ReactNode; children: ReactNode; footer: ReactNode }) {
  const { state, loadOlder } = useOpenConversation();
  const [loading, setLoading] = useState(false);
  const older = (): void => {
    setLoading(true);
    void loadOlder().finally(() => setLoading(false));
  };
  return (
    <ThreadPrimitive.Root className="relative flex min-h-0 flex-1 flex-col">
      <ThreadPrimitive.Viewport className="scroll-slim min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 pt-4 pb-3">
        <div
          role="log"
          aria-label="Conversation with @bravo"
          aria-live="off"
          className="flex min-h-full flex-col gap-4"
        >
          {state.hasOlder && (
            <Button look="outline" size="small" className="self-center" data-testid="load-older" onClick={older}>
              {loading && <Spinner />} Load earlier messages
            </Button>
          )}
          {state.messages.length === 0 && empty}
          <ThreadPrimitive.Messages>{({ message }) => <MessageView id={message.id} />}</ThreadPrimitive.Messages>
          {children}
        </div>
        <ThreadPrimitive.ScrollToBottom
          aria-label="Scroll to the newest message"
          className="sticky bottom-0 left-1/2 z-10 grid size-8 -translate-x-1/2 place-items-center rounded-full border border-border bg-surface text-muted shadow-card hover:text-foreground disabled:hidden"
        >
          <ChevronIcon className="size-4 rotate-90" />
        </ThreadPrimitive.ScrollToBottom>
      </ThreadPrimitive.Viewport>
      {footer}
    </ThreadPrimitive.Root>
  );
}
