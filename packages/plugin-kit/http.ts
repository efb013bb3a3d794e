/*
 * The HTTP client of a plugin. The host builds the `fetch`; `make_http.ts` builds the rest upon it.
 */

/** Options of the port beyond `RequestInit`; a vendor's own client leaves them out. */
export interface PortInit extends RequestInit {
  /** A repetition has no second effect, so it may be retried. Reads always may. */
  idempotent?: boolean
  /** It changes nothing, whatever its method, such as a query of GraphQL: it may be retried. */
  isQuery?: boolean
  /** The path as the log shows it: `/repos/{owner}/{repo}`. Taken from the path where absent. */
  template?: string
  /** Milliseconds for one attempt; of a download, until its head has come. */
  timeoutMs?: number
  /** Sends no credentials. */
  anonymous?: boolean
  /** The body is a file: it is handed on as it comes, without the limit of other answers. */
  download?: boolean
}

/**
 * A WHATWG `fetch`. It follows no redirect and answers any status as a `Response`, after the
 * retries that are safe; the body is there already, unless it is a download.
 * @throws ProviderError if there is no answer: not allowed, not reachable, too late, too long, no
 * budget, or paused; the reason of `init.signal` when that ends it
 */
export type PortFetch = (input: string | URL | Request, init?: PortInit) => Promise<Response>

const inDoubt = new WeakSet<Response>()

/** Says of a response that an attempt before it, which nobody answered, may have been applied. */
export function markInDoubt(response: Response): void {
  inDoubt.add(response)
}

export const isInDoubt = (response: Response): boolean => inDoubt.has(response)

/** Statuses whose responses have no body (Fetch, 2.2.3). */
const BODILESS = new Set([204, 205, 304])

export const isBodiless = (status: number): boolean => BODILESS.has(status)

/** A response made by hand, with the address that vendors' clients look for. */
export function makeResponse(
  body: ConstructorParameters<typeof Response>[0],
  { status, headers }: { status: number; headers: Headers },
  url: string
): Response {
  const response = new Response(isBodiless(status) ? null : body, { status, headers })
  Object.defineProperty(response, 'url', { value: url })
  return response
}

type Value = string | number | boolean

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the connection's host (the first allowed one without), or a whole URL. `{name}` stands for a parameter. */
  path: string
  /** Values for `{name}` in the path; a slash in one is no further segment. */
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, Value | readonly string[] | undefined>>
  headers?: Readonly<Record<string, string>>
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** The format of the answer; JSON by default. */
  accept?: 'json' | 'text'
  /** Statuses that are answers and no errors, beside 200 to 299. */
  expect?: readonly number[]
  idempotent?: boolean
  timeoutMs?: number
  anonymous?: boolean
}

export interface HttpResponse<Body = unknown> {
  status: number
  headers: Headers
  /** Null if there is none. */
  body: Body
}

export interface Http {
  /** @throws ProviderError for every other status, for what is no JSON, and as `PortFetch` does */
  send<Body = unknown>(request: HttpRequest): Promise<HttpResponse<Body>>
  /**
   * A file as it comes. Redirects are followed to hosts the plugin may reach; credentials go to
   * the first host alone.
   * @throws ProviderError
   */
  download(request: HttpRequest): Promise<ReadableStream<Uint8Array>>
  /**
   * A `fetch` for a vendor's own client. It throws for everything but a success, redirects
   * included, so that no client can take an error for an answer or lose its outcome;
   * `answerOfClient` finds what it threw.
   * @throws ProviderError as `send` does
   */
  client: PortFetch
}
