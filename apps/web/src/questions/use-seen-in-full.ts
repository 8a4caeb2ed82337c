/** Whether the beginning and the end of some content have both been on screen; once true it stays so for as long as the content is the same. */
import { type RefObject, useEffect, useRef, useState } from 'react';

export interface SeenInFull {
  seen: boolean;
  start: RefObject<HTMLDivElement | null>;
  end: RefObject<HTMLDivElement | null>;
}

/** @param content identifies what must be read: another text must be read anew. */
export function useSeenInFull(content: string): SeenInFull {
  const start = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [seenContent, setSeenContent] = useState<string | null>(null);

  useEffect(() => {
    const marks = new Set<Element>();
    // Every scroll container between the mark and the window clips, so a mark counts only when it can really be seen.
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) marks.add(entry.target);
      if (marks.size === 2) {
        setSeenContent(content);
        observer.disconnect();
      }
    });
    if (start.current) observer.observe(start.current);
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [content]);

  return { seen: seenContent === content, start, end };
}
