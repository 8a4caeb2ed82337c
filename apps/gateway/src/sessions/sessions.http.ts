/** Signing in and out over HTTP. The session lives in a cookie that no script and no other site can use. */
import { Controller, Inject, Res } from '@nestjs/common';
import type { SignedIn } from '../callers/caller.ts';
import { SESSION_COOKIE, TheCredential, TheSignedIn } from '../callers/caller-guard.http.ts';
import type { Credential } from '../callers/request-credential.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import { DESCRIBE_ME, LIST_LOCAL_PEOPLE, SIGN_IN, SIGN_OUT, type SessionView } from './session-routes.ts';
import type { LocalIssuer } from './local-issuer.ts';

export const LOCAL_ISSUER = Symbol('local-issuer');
export const SESSION_OPTIONS = Symbol('session-options');

export interface SessionOptions {
  /** False only where the page itself is served without TLS. */
  readonly secureCookie: boolean;
  readonly warnings: readonly string[];
}

interface CookieReply {
  setCookie(name: string, value: string, options: object): unknown;
  clearCookie(name: string, options: object): unknown;
}

@Controller()
export class SessionsController {
  readonly #issuer: LocalIssuer;
  readonly #options: SessionOptions;
  constructor(@Inject(LOCAL_ISSUER) issuer: LocalIssuer, @Inject(SESSION_OPTIONS) options: SessionOptions) {
    this.#issuer = issuer;
    this.#options = options;
  }

  @Serve(SIGN_IN)
  async signIn(
    @Checked() { body }: Input<typeof SIGN_IN>,
    @Res({ passthrough: true }) reply: CookieReply,
  ): Promise<SessionView> {
    const { token, expiresAt, signedIn } = await this.#issuer.signIn(body.name);
    reply.setCookie(SESSION_COOKIE, token, { ...this.#cookie(), expires: expiresAt });
    return this.#view(signedIn);
  }

  @Serve(LIST_LOCAL_PEOPLE)
  async listLocalPeople() {
    return { people: await this.#issuer.listPeople() };
  }

  @Serve(SIGN_OUT)
  async signOut(
    @TheCredential() credential: Credential,
    @Res({ passthrough: true }) reply: CookieReply,
  ): Promise<void> {
    await this.#issuer.signOut(credential.value);
    reply.clearCookie(SESSION_COOKIE, this.#cookie());
  }

  @Serve(DESCRIBE_ME)
  describeMe(@TheSignedIn() signedIn: SignedIn): SessionView {
    return this.#view(signedIn);
  }

  #view({ person, memberships, csrfToken, kind, scopes }: SignedIn): SessionView {
    return {
      person,
      memberships,
      csrf_token: csrfToken,
      credential_kind: kind,
      scopes,
      warnings: this.#options.warnings,
    };
  }

  #cookie(): object {
    return { path: '/api', httpOnly: true, sameSite: 'strict', secure: this.#options.secureCookie };
  }
}
