import type { World } from './world.js'

/*
 * Shared parts of the answers of all providers of a world.
 */

const PAGE = 50

/** An answer, and the world after it. */
export interface WorldResponse {
  response: Response
  world: World
}

/** The refusal of a request; `code` is the provider's own name for the reason. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    /** The error in the vendor's format, and the world after a refusal that changes it. */
    readonly more: { error?: object; world?: World | null } = {}
  ) {
    super(message)
  }
}

export interface WorldRequest {
  path: readonly string[]
  method: string
  query: URLSearchParams
  body: Readonly<Record<string, unknown>>
  key: string | null
  isChange: boolean
}

export async function readRequest(request: Request): Promise<WorldRequest> {
  const { pathname, searchParams: query } = new URL(request.url)
  const { method } = request
  const isChange = method !== 'GET'
  const text = isChange ? await request.text() : ''
  return {
    path: pathname.split('/').slice(1).map(decodeURIComponent),
    method,
    query,
    body: text === '' ? {} : bodyOf(text),
    key: request.headers.get('idempotency-key'),
    isChange,
  }
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new Refusal(400, 'The body is not a JSON object')
}

/** Reads a text that is not empty. @throws Refusal for anything else */
export function textIn({ body }: WorldRequest, name: string): string {
  const value = body[name]
  if (typeof value === 'string' && value !== '') return value
  throw new Refusal(422, `The text ${name} is missing`)
}

/** Reads a list of objects. @throws Refusal for anything else */
export function objectsIn({ body }: WorldRequest, name: string): Record<string, unknown>[] {
  const value = body[name]
  const isObject = (each: unknown) => typeof each === 'object' && each !== null
  if (Array.isArray(value) && value.every(isObject)) return value as Record<string, unknown>[]
  throw new Refusal(422, `The list ${name} is missing`)
}

/** Reads a list of texts. @throws Refusal for anything else */
export function textsIn({ body }: WorldRequest, name: string): string[] {
  const value = body[name]
  const isText = (each: unknown) => typeof each === 'string'
  if (Array.isArray(value) && value.every(isText)) return value as string[]
  throw new Refusal(422, `The list ${name} is missing`)
}

/** Returns whether a filter with several values, or with none, includes a value. */
export const includes = (filter: readonly string[], value: string): boolean =>
  filter.length === 0 || filter.includes(value)

/** Reads an instant from a query, in milliseconds; null if it is missing or invalid. */
export function instantOf(query: URLSearchParams, name: string): number | null {
  const at = Date.parse(query.get(name) ?? '')
  return Number.isNaN(at) ? null : at
}

export const noAddress = () => new Refusal(404, 'There is no such address')

export const instantText = (at: number) => new Date(at).toISOString()

export const answered = (world: World, body: object): WorldResponse => ({
  response: Response.json(body),
  world,
})

export function paged<Item>(
  items: readonly Item[],
  query: URLSearchParams,
  show: (item: Item) => unknown = (item) => item
): object {
  const from = Number(query.get('cursor') ?? 0)
  if (!Number.isInteger(from) || from < 0) throw new Refusal(422, 'This is not a cursor')
  const next = from + PAGE < items.length ? { next: String(from + PAGE) } : {}
  return { items: items.slice(from, from + PAGE).map(show), ...next }
}
