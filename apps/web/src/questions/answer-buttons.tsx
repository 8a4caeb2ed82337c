/** The answers to a question, one below the other in the order of what they let happen; saying no is never held back. */
import type { Answer } from '../conversation/use-conversation.ts';
import { GRANT_SECONDS } from '../grants/describe-grant.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { Spinner } from '../ui/icons.tsx';

export interface AnswerButtonsProps {
  /** Whether "let @bravo read the output" may be chosen. */
  trustOutputOffered: boolean;
  /** Whether the same may be granted for a while together with the yes. */
  grantOffered: boolean;
  /** Whether exactly this line may be let through from now on. */
  rememberOffered: boolean;
  mayApprove: boolean;
  /** Nothing can be chosen any more. */
  closed: boolean;
  /** The answer on its way. */
  sent: Answer | null;
  /** Id of the text that says what a yes means, or why there can be none yet. */
  hintId: string;
  onGive: (answer: Answer) => void;
}

export function AnswerButtons({
  trustOutputOffered,
  grantOffered,
  rememberOffered,
  mayApprove,
  closed,
  sent,
  hintId,
  onGive,
}: AnswerButtonsProps) {
  const button = (answer: Answer, look: NonNullable<ButtonProps['look']>, words: string) => (
    <Button
      look={look}
      data-testid={answer}
      disabled={closed || (answer !== 'deny' && !mayApprove)}
      {...(answer === 'deny' ? {} : { 'aria-describedby': hintId })}
      onClick={() => onGive(answer)}
    >
      {sent === answer && <Spinner />} {words}
    </Button>
  );
  return (
    <div className={trustOutputOffered || grantOffered || rememberOffered ? 'grid gap-2' : 'grid grid-cols-2 gap-2'}>
      {button('approve', 'primary', 'Approve')}
      {trustOutputOffered && button('approve-read', 'accent', 'Approve and let @bravo read the output')}
      {grantOffered && button('approve-grant', 'accent', `Approve, and again for ${GRANT_SECONDS / 60} minutes`)}
      {rememberOffered && button('approve-remember', 'accent', 'Always allow this exact line here')}
      {button('deny', 'danger', 'Deny')}
    </div>
  );
}
