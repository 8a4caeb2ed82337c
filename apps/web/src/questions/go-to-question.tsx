/** Leads to the open question when it is scrolled out of sight, and stays away otherwise. */
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';

export function GoToQuestion({ callId }: { callId: string }) {
  const [inSight, setInSight] = useState(true);

  useEffect(() => {
    const card = document.getElementById(`question-${callId}`);
    if (!card) return;
    const observer = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting ?? true), {
      threshold: 0.4,
    });
    observer.observe(card);
    return () => observer.disconnect();
  }, [callId]);

  if (inSight) return null;
  const show = (): void => {
    const card = document.getElementById(`question-${callId}`);
    card?.scrollIntoView({ block: 'nearest' });
    card?.focus({ preventScroll: true });
  };
  return (
    <Button size="small" data-testid="go-to-question" onClick={show}>
      Go to the question
    </Button>
  );
}
