/** Draws an answer's text from parsed blocks; there is no way from text to markup, links or pictures. */
import { Fragment, memo, useMemo } from 'react';
import { HiddenText } from './hidden-text.tsx';
import { type Block, type Inline, parseProse } from './parse-prose.ts';
import { RefLink } from './ref-chip.tsx';

export const Prose = memo(function Prose({ text, streaming }: { text: string; streaming: boolean }) {
  const blocks = useMemo(() => parseProse(text), [text]);
  return (
    <div className="space-y-2.5 break-words">
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} caret={streaming && index === blocks.length - 1} />
      ))}
    </div>
  );
});

function Caret() {
  return (
    <span
      aria-hidden="true"
      className="ml-0.5 inline-block h-4 w-[2px] translate-y-[3px] animate-caret rounded bg-accent"
    />
  );
}

function BlockView({ block, caret }: { block: Block; caret: boolean }) {
  if (block.kind === 'code') {
    return (
      <div className="exact scroll-slim max-h-96 overflow-y-auto rounded-lg bg-sunken px-3 py-2.5">
        <HiddenText text={block.text} />
      </div>
    );
  }
  if (block.kind === 'heading') {
    return (
      <p className="font-semibold">
        <Inlines inlines={block.inlines} />
      </p>
    );
  }
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul';
    return (
      <List className={`space-y-1 pl-5 ${block.ordered ? 'list-decimal' : 'list-disc'} marker:text-muted`}>
        {block.items.map((item, index) => (
          <li key={index}>
            <Inlines inlines={item} />
            {caret && index === block.items.length - 1 && <Caret />}
          </li>
        ))}
      </List>
    );
  }
  return (
    <div>
      {block.lines.map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          <Inlines inlines={line} />
        </Fragment>
      ))}
      {caret && <Caret />}
    </div>
  );
}

function Inlines({ inlines }: { inlines: Inline[] }) {
  return inlines.map((inline, index) => {
    if (inline.kind === 'ref') return <RefLink key={index} slot={inline.slot} />;
    if (inline.kind === 'bold')
      return (
        <strong key={index} className="font-semibold">
          {inline.text}
        </strong>
      );
    if (inline.kind === 'code')
      return (
        <code key={index} className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em]">
          <HiddenText text={inline.text} />
        </code>
      );
    return <Fragment key={index}>{inline.text}</Fragment>;
  });
}
