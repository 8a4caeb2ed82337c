/** Whether the beginning and the end of some content have both been on screen; once true it stays so for as long as the content is the same. */
import { type RefObject, useEffect, useRef, useState } from 'react';

export interface SeenInFull {
  /** What has not been on screen yet; `nothing` once all was. */
  missing: 'start' | 'end' | 'nothing';
  start: RefObject<HTMLDivElement | null>;
  end: RefObject<HTMLDivElement | null>;
}

/** @param content identifies what must be read: another text must be read anew. */
export function useSeenInFull(content: string): SeenInFull {
  const start = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ content: '', start: false, end: false });

  useEffect(() => {
    // Every scroll container between the mark and the window clips, so a mark counts only when it can really be seen.
    const observer = new IntersectionObserver((entries) => {
      const visible = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
      if (visible.length === 0) return;
      setSeen((before) => ({
        content,
        start: (before.content === content && before.start) || visible.includes(start.current!),
        end: (before.content === content && before.end) || visible.includes(end.current!),
      }));
    });
    if (start.current) observer.observe(start.current);
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [content]);

  const present = seen.content === content;
  return { missing: !present || !seen.start ? 'start' : seen.end ? 'nothing' : 'end', start, end };
}
