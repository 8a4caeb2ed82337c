import { describe, expect, it } from '@jest/globals';
import { readVerdict } from './check-content.ts';
import { askForDocument, markerOf, splitAnswer } from './split-answer.ts';

describe('a processor’s reply [processor.document]', () => {
  const marker = markerOf('tc_1');

  it('is a remark up to the marker, and the document after it, byte for byte', () => {
    expect(splitAnswer(`Done.\n${marker}\n  a\n\nb\n`, marker)).toEqual({ remark: 'Done.', document: '  a\n\nb\n' });
    expect(splitAnswer(`${marker}\n`, marker)).toEqual({ remark: '', document: '' });
    expect(splitAnswer(marker, marker)).toEqual({ remark: '', document: '' });
  });

  it('names no document without the marker on a line of its own', () => {
    expect(splitAnswer('x', marker)).toEqual({ remark: 'x' });
    expect(splitAnswer(`see ${marker}\nb`, marker)).toEqual({ remark: `see ${marker}\nb` });
    expect(splitAnswer(`${markerOf('tc_2')}\nb`, marker).document).toBeUndefined();
  });

  it('is split at the first marker only', () => {
    expect(splitAnswer(`${marker}\na\n${marker}\nb`, marker).document).toBe(`a\n${marker}\nb`);
    expect(askForDocument('Sort it.', marker).split('\n')).toContain(marker);
  });
});

describe('a verdict is one of two words, or none [vetting.advice]', () => {
  it.each([
    ['{"verdict":"safe","reason":"a list"}', { word: 'safe', reason: 'a list' }],
    ['I think {"verdict":" UNSAFE ","reason":"it instructs"} so', { word: 'unsafe', reason: 'it instructs' }],
    ['{"verdict":"safe"} {"verdict":"unsafe"}', { word: 'unsafe', reason: '' }],
    ['{"verdict":"unsafe"} {"verdict":"perhaps"}', { word: 'inconclusive', reason: '' }],
    ['safe', { word: 'inconclusive', reason: '' }],
    ['{"verdict":true}', { word: 'inconclusive', reason: '' }],
    ['{broken', { word: 'inconclusive', reason: '' }],
    ['', { word: 'inconclusive', reason: '' }],
  ])('%s', (reply, verdict) => expect(readVerdict(reply)).toEqual(verdict));
});
