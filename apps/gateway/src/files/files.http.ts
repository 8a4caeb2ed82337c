/** A conversation's files over HTTP, for its own person. */
import { Controller, Headers, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, subjectOf } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { expectedRevision, fileTag } from './change-tokens.ts';
import { type FileView, LIST_FILES, MOST_UPLOAD_BYTES, READ_FILE, REMOVE_FILE, WRITE_FILE } from './file-routes.ts';
import { type Files, FILES, type FilesPage } from './files.ts';
import { readBytes } from './read-bytes.http.ts';
import { writeBytes } from './write-bytes.http.ts';

/** Where Fastify puts what the `*` of a route stands for. */
const pathOf = (params: Readonly<Record<string, string>>): string => params['*'] ?? '';

@Controller()
export class FilesController {
  readonly #files: Files;
  constructor(@Inject(FILES) files: Files) {
    this.#files = files;
  }

  @Serve(LIST_FILES)
  listFiles(@TheCaller() caller: Caller, @Checked() { params, query }: Input<typeof LIST_FILES>): Promise<FilesPage> {
    const { directory = '', depth = 0, limit = 0, cursor = '' } = query;
    return this.#files.list(subjectOf(caller), params['cid'] ?? '', { directory, depth, limit, after: cursor });
  }

  @Serve(READ_FILE)
  async readFile(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof READ_FILE>,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await writeBytes(reply, ifNoneMatch, (gone) =>
      this.#files.read(subjectOf(caller), params['cid'] ?? '', pathOf(params), gone),
    );
  }

  @Serve(WRITE_FILE)
  async writeFile(
    @TheCaller() caller: Caller,
    @Checked() { params, query }: Input<typeof WRITE_FILE>,
    @Headers('if-match') ifMatch: string | undefined,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ file: FileView; created: boolean }> {
    const how = {
      expectedRevision: expectedRevision(ifMatch, ifNoneMatch),
      letsRead: query.lets_read === undefined ? undefined : query.lets_read === 'true',
    };
    const content = await readBytes(request.body, MOST_UPLOAD_BYTES);
    const written = await this.#files.write(subjectOf(caller), params['cid'] ?? '', pathOf(params), content, how);
    void reply.header('etag', fileTag(written.file.change_token));
    return written;
  }

  @Serve(REMOVE_FILE)
  async removeFile(
    @TheCaller() caller: Caller,
    @Checked() { params }: Input<typeof REMOVE_FILE>,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    await this.#files.remove(
      subjectOf(caller),
      params['cid'] ?? '',
      pathOf(params),
      expectedRevision(ifMatch, undefined),
    );
  }
}
