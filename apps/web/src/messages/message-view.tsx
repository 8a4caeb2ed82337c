/** One message: a person's words in a bubble, or @bravo's words and tool cards in the order they happened. */
import { MessagePrimitive } from '@assistant-ui/react';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { plainText, type UiMessage } from '../conversation/conversation-state.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { AlertIcon, InfoIcon, RepeatIcon } from '../ui/icons.tsx';
import { Prose } from './prose.tsx';
import { ToolCard } from './tool-card.tsx';

export function MessageView({ id }: { id: string }) {
  const { state } = useOpenConversation();
  const message = state.messages.find((m) => m.id === id);
  if (!message) return null;
  return (
    <MessagePrimitive.Root>
      {message.role === 'user' ? <PersonMessage message={message} /> : <BravoMessage message={message} />}
    </MessagePrimitive.Root>
  );
}

function PersonMessage({ message }: { message: UiMessage }) {
  const { resend } = useOpenConversation();
  return (
    <div className="flex flex-col items-end gap-1.5 pl-10" data-testid="message-user">
      <div
        className={`rounded-2xl rounded-br-md px-3.5 py-2 break-words whitespace-pre-wrap ${message.status === 'unsent' ? 'bg-bad-soft' : 'bg-accent-soft'} ${message.status === 'sending' ? 'opacity-70' : ''}`}
      >
        <span className="sr-only">You: </span>
        {plainText(message)}
      </div>
      {message.status === 'queued' && <Badge data-testid="queued">queued behind the present turn</Badge>}
      {message.status === 'cancelled' && <Badge>dropped</Badge>}
      {message.status === 'unsent' && (
        <div role="alert" className="flex flex-wrap items-center justify-end gap-2 text-sm text-bad">
          <span>Not sent. {message.problem}</span>
          <Button size="small" onClick={() => void resend(message.id)}>
            <RepeatIcon className="size-3.5" /> Try again
          </Button>
        </div>
      )}
    </div>
  );
}

const ENDINGS: Partial<Record<UiMessage['status'], string>> = {
  cancelled: 'Stopped. What was said and done before stays.',
  interrupted: 'Interrupted. What was said and done before stays, and nothing is run again by itself.',
};

function BravoMessage({ message }: { message: UiMessage }) {
  const streaming = message.status === 'streaming';
  const ending = message.problem ?? ENDINGS[message.status];
  return (
    <div className="space-y-3" data-testid="message-assistant" data-status={message.status} aria-busy={streaming}>
      <span className="sr-only">@bravo: </span>
      {message.parts.map((part, index) =>
        part.kind === 'tool' ? (
          <ToolCard key={part.callId} callId={part.callId} />
        ) : part.kind === 'notice' ? (
          <p key={part.id} role="note" data-testid="notice" className="flex items-start gap-2 text-sm text-muted">
            <InfoIcon className="mt-0.5 size-4 shrink-0" />
            {part.text}
          </p>
        ) : (
          <Prose key={index} text={part.text} streaming={streaming && index === message.parts.length - 1} />
        ),
      )}
      {streaming && message.parts.length === 0 && (
        <p aria-hidden="true" className="flex h-6 items-center gap-1">
          {['', '[animation-delay:200ms]', '[animation-delay:400ms]'].map((delay) => (
            <span key={delay} className={`size-1.5 animate-breathe rounded-full bg-muted ${delay}`} />
          ))}
        </p>
      )}
      {ending && (
        <p className={`flex items-start gap-2 text-sm ${message.status === 'failed' ? 'text-bad' : 'text-muted'}`}>
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {ending}
        </p>
      )}
    </div>
  );
}
