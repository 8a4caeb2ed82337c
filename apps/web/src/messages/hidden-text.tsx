/** Draws text exactly, with every character that cannot be seen as a symbol; used wherever a person decides by what they read. */
import { memo } from 'react';
import { revealHidden } from '@bravo/policy/previews/reveal-hidden';

export const HiddenText = memo(function HiddenText({ text }: { text: string }) {
  return revealHidden(text).map((stretch, index) =>
    stretch.hidden === undefined ? (
      stretch.text
    ) : stretch.text === '⇥' ? (
      // The tab itself stays, so that indented code still lines up.
      <span key={index} className="hidden-character" data-ordinary="" title={stretch.hidden}>
        ⇥{'\t'}
      </span>
    ) : (
      <span key={index} className="hidden-character" title={stretch.hidden} role="img" aria-label={stretch.hidden}>
        {stretch.text}
      </span>
    ),
  );
});
