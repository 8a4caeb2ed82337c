/** Reads the lines asked for from the file the call was bound to; a file that changed since is reported, never shown as the one that was judged. */
import { MAX_READ_LINES } from '../../manifests/read-file.ts';
import { type Execute, failed, fileOf } from '../effect.ts';
import { mediaTypeOf } from '../file-kinds.ts';
import { isText, plural } from '../text.ts';

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const CHANGED = 'The file changed while it was read. Read it again.';

export const readFile: Execute = async ({ call, who }, { sandbox, trustOf }) => {
  const landing = fileOf(call.targets);
  const revision = call.revisions[landing];
  if (revision === null || revision === undefined) {
    return failed('not_found', 'The file does not exist. Use list_files to see what is there.');
  }
  const { content, size, truncated, facts } = await sandbox.read(who, landing, MAX_FILE_BYTES);
  if (facts.kind !== 'file')
    return failed('invalid_argument', 'The path is not a file. Use list_files for a directory.');
  // What was judged is where the path landed then; a link that took its place leads to what nobody judged.
  if (facts.landing !== landing || facts.revision !== revision) return failed('conflict', CHANGED);
  const paths = await trustOf(who.conversationId, [landing]);
  // A write may have ended between the bytes and their mark: the mark is these bytes' only while they are still there.
  if ((await sandbox.stat(who, landing)).revision !== revision) return failed('conflict', CHANGED);
  const origin = 'file of the workspace';
  const name = landing;
  const picture = mediaTypeOf(landing);
  if (picture !== undefined) {
    if (truncated) return failed('invalid_argument', `A picture or PDF of over ${MAX_FILE_BYTES} bytes is not read.`);
    const kind = picture === 'application/pdf' ? 'pdf' : 'picture';
    const summary = [
      `The file is a ${kind === 'pdf' ? 'PDF' : 'picture'}: ${plural(size, 'byte')}. A processor can look at it.`,
    ];
    return { status: 'completed', summary, outputs: [{ origin, name, path: landing, kind, content, paths }] };
  }
  if (!isText(content)) {
    const summary = [
      `The file is not text: ${plural(size, 'byte')}${truncated ? `, of which the first ${content.length} are kept` : ''}.`,
    ];
    // Bytes are no use to a planner; they stay a reference whatever the path's trust.
    return {
      status: 'completed',
      summary,
      outputs: [{ origin, name, path: landing, kind: 'binary', content, paths: ['untrusted'] }],
    };
  }
  const page = pageOf(
    content,
    numberOr(call.arguments['offset'], 1),
    Math.min(numberOr(call.arguments['limit'], MAX_READ_LINES), MAX_READ_LINES),
  );
  if (page === undefined) return failed('invalid_argument', 'The offset is behind the end of the file.');
  const summary: string[] = [];
  if (size === 0) summary.push('The file is empty.');
  else {
    const more =
      page.next === undefined && !truncated
        ? 'to the end'
        : page.next === undefined
          ? `, the file goes on past ${MAX_FILE_BYTES} bytes, which is the most that can be read`
          : `, there is more: go on with offset ${page.next}`;
    summary.push(`Lines ${page.first} to ${page.last} ${more}. Change token ${facts.revision}.`.replace(' ,', ','));
  }
  return {
    status: 'completed',
    summary,
    outputs:
      size === 0
        ? []
        : [
            {
              ...{ origin, name, path: landing, kind: 'text', content: page.content, paths },
              partOf: { content, from: page.content.byteOffset - content.byteOffset },
            },
          ],
  };
};

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Lines `offset` … of the content, with the offset to go on from where there are more. */
const pageOf = (content: Uint8Array, offset: number, limit: number) => {
  let line = 1;
  let start = 0;
  while (line < offset) {
    const end = content.indexOf(10, start);
    if (end < 0 || end + 1 >= content.length) return undefined;
    start = end + 1;
    line += 1;
  }
  let end = start;
  let taken = 0;
  while (taken < limit && end < content.length) {
    const next = content.indexOf(10, end);
    end = next < 0 ? content.length : next + 1;
    taken += 1;
  }
  const next = end < content.length ? offset + taken : undefined;
  return { content: content.subarray(start, end), first: offset, last: offset + Math.max(taken, 1) - 1, next };
};
