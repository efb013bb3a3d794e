import { createHash } from 'node:crypto'
import { androidpublisher_v3 } from '@googleapis/androidpublisher/build/v3.js'
import { answerOfClient, isProviderError, type PluginContext } from '@tarmac/plugin-kit'

export type Publisher = androidpublisher_v3.Androidpublisher

/** Options of one call that the client passes to its `fetch`. */
interface CallOptions {
  /** A repetition has no second effect, so the port may retry it. */
  idempotent?: boolean
}

/**
 * Google's own client for the package of an integration. The port does retries and authentication.
 */
export class GooglePlay {
  readonly packageName: string
  readonly #publisher: Publisher

  constructor(
    readonly ctx: PluginContext,
    packageName = String(ctx.data.bundleId ?? '')
  ) {
    this.packageName = packageName
    this.#publisher = new androidpublisher_v3.Androidpublisher({
      retry: false,
      // Set here, so that the machine's environment cannot change it.
      universeDomain: 'googleapis.com',
    })
  }

  /**
   * Calls an operation of the client.
   * @throws ProviderError
   */
  async call<Answer>(
    operation: (
      publisher: Publisher,
      options: { fetchImplementation: typeof fetch }
    ) => Promise<{ data: Answer }>,
    { idempotent }: CallOptions = {}
  ): Promise<Answer> {
    const client = this.ctx.http.client
    const fetchImplementation = ((input: string | URL, init: RequestInit) =>
      client(input, {
        ...{ method: init.method, headers: init.headers, body: init.body },
        idempotent,
      })) as typeof fetch
    const { data } = await answerOfClient(operation(this.#publisher, { fetchImplementation }))
    return data
  }
}

/** Returns the e-mail address of the service account; '' if the credential is not a key file. */
export function serviceAccountEmail(ctx: PluginContext): string {
  try {
    const file = JSON.parse(String(ctx.secret('serviceAccount'))) as { client_email?: unknown }
    return typeof file.client_email === 'string' ? file.client_email : ''
  } catch {
    return ''
  }
}

/** Returns a key of account and app, because Google has one edit for each such pair. */
export function editKeyOf({ ctx, packageName }: GooglePlay): string {
  const account = createHash('sha256')
    .update(String(ctx.secret('serviceAccount')))
    .digest('hex')
  return JSON.stringify([account, packageName])
}

/** Returns whether Google's text of an error, or one of its machine-readable reasons, matches. */
export function matchesError(error: unknown, pattern: RegExp): boolean {
  if (!isProviderError(error)) return false
  const { raw, reason = '', vendorCode = '' } = error.detail
  return pattern.test(`${raw ?? reason}\n${vendorCode}`)
}

/** When a read began, and how old its content may have been at that time, in seconds. */
export interface Freshness {
  beganAt: string
  lagSeconds: number
}

/** Returns the freshness of an edit that begins now. It shows the current state. */
export const freshnessOfEdit = (ctx: PluginContext): Freshness => ({
  beganAt: ctx.now().toISOString(),
  lagSeconds: 0,
})

/** The assumed lag of lists of releases behind commits. Google does not document it. */
const LIST_LAG_SECONDS = 300

/** Returns the freshness of a list that is read from now on. */
export const freshnessOfList = (ctx: PluginContext): Freshness => ({
  beganAt: ctx.now().toISOString(),
  lagSeconds: LIST_LAG_SECONDS,
})
