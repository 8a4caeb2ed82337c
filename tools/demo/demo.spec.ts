/** What the demo shows is what is there, what it takes for a yes is a yes, and its exit code tells the truth. */
import { describe, expect, it } from '@jest/globals';
import { complaintAbout } from '../cli/commands/demo.ts';
import { parseAnswer } from './ask-person.ts';
import { EventStreamParser } from './event-stream.ts';
import { visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it('shows control, bidirectional and invisible characters instead of obeying them', () => {
    expect(visibleText('a\u001b[2Jb\u202ec\u200bd\u007f\r')).toBe('a␛[2Jb<U+202E>c<U+200B>d␡␍');
  });
  it('leaves ordinary text, lines and tabs alone', () => {
    expect(visibleText('print("Grüße 你好")\n\tok')).toBe('print("Grüße 你好")\n\tok');
  });
});

describe('parseAnswer', () => {
  it.each([
    ['y', 'read'],
    [' YES ', 'read'],
    ['p', 'approve'],
    ['n', 'deny'],
    ['', undefined],
    ['yolo', undefined],
  ])('%p is %p', (line, answer) => expect(parseAnswer(line)).toBe(answer));
});

describe('EventStreamParser', () => {
  const stream = ': beat\nretry: 500\n\nid: c:1\nevent: content_delta\ndata: {"delta":"a"}\n\nevent:x\ndata:1\ndata:2\n\n';
  const wanted = [
    { id: 'c:1', event: 'content_delta', data: '{"delta":"a"}' },
    { id: 'c:1', event: 'x', data: '1\n2' },
  ];
  it('finds the same events however the stream is cut', () => {
    for (const text of [stream, stream.replaceAll('\n', '\r\n')]) {
      for (let size = 1; size < text.length; size += 1) {
        const parser = new EventStreamParser();
        const events = (text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []).flatMap((chunk) => parser.feed(chunk));
        expect(events).toEqual(wanted);
      }
    }
  });
});

describe('the exit code of the demo', () => {
  const good = { ended: 'message_end', answers: ['read'], toolStatuses: ['completed'], text: 'It printed 42.' } as const;
  it.each([
    ['all is well', good, ''],
    ['denied and nothing ran', { ...good, answers: ['deny'], toolStatuses: ['denied'] }, ''],
    ['denied and ran', { ...good, answers: ['deny'] }, 'it ran although it was denied'],
    ['nobody answered and it ran', { ...good, answers: ['nobody'] }, 'it ran although it was denied'],
    ['nobody answered and nothing ran', { ...good, answers: ['nobody'], toolStatuses: ['denied'] }, 'there was no answer: the end of input counts as your no, which was sent in the name of alice, so nothing ran'],
    ['no question', { ...good, answers: [] }, 'no question was asked'],
    ['wrong answer', { ...good, text: '41' }, 'the answer does not contain 42'],
    ['cut off', { ...good, ended: 'cut_off' }, 'the stream broke off'],
  ] as const)('%s', (_name, outcome, complaint) => expect(complaintAbout(outcome)).toBe(complaint));
});
