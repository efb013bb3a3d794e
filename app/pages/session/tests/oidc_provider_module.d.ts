/** The part of the package that tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Context {
    oidc: { client?: { clientId: string }; session?: { accountId: string } }
  }

  class Grant {
    constructor(of: { clientId: string; accountId: string })
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Settings {
    clients: readonly Record<string, unknown>[]
    jwks: { keys: readonly object[] }
    claims: Readonly<Record<string, readonly string[]>>
    features: Readonly<Record<string, { enabled: boolean }>>
    interactions: { url(context: Context, interaction: { uid: string }): string }
    cookies: { keys: readonly string[] }
    ttl: Readonly<Record<string, number>>
    findAccount(context: Context, sub: string): { accountId: string; claims(): Promise<object> }
    loadExistingGrant(context: Context): Promise<Grant>
  }

  export default class Provider {
    constructor(issuer: string, settings: Settings)
    readonly Grant: typeof Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } }
    ): Promise<void>
  }
}
