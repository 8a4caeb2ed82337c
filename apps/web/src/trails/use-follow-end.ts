/** Keeps a growing list's end in view for a reader who is at its end; it never moves one who has scrolled away, and leaves the first sight at the top. */
import { type RefObject, useEffect, useRef } from 'react';

const NEAR_PX = 80;

export function useFollowEnd(box: RefObject<HTMLElement | null>, length: number): { onScroll: () => void } {
  const atEnd = useRef(true);
  const before = useRef(0);

  useEffect(() => {
    const element = box.current;
    const first = before.current === 0;
    before.current = length;
    if (!element || length === 0) return;
    if (first) atEnd.current = element.scrollHeight - element.clientHeight < NEAR_PX;
    else if (atEnd.current) element.scrollTop = element.scrollHeight;
  }, [box, length]);

  return {
    onScroll: () => {
      const element = box.current;
      if (element) atEnd.current = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR_PX;
    },
  };
}
