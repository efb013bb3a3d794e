import { compareTexts } from '../core/compare_texts.js'
import { createHmac, timingSafeEqual } from 'node:crypto'
import vine from '@vinejs/vine'
import { ok, type OperationResponse } from './operation/response.js'
import { describedAs } from './operation/input.js'
import { refuse } from '../core/problems/problem.js'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

/** Query parameters of every paginated list. A limit above the maximum counts as the maximum. */
export const pageInput = {
  limit: vine
    .number()
    .withoutDecimals()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .use(describedAs('Maximum entries of the page; 50 by default, values above 200 count as 200.'))
    .optional()
    .transform((value) => Math.min(value, MAX_LIMIT)),
  cursor: vine
    .string()
    .maxLength(1000)
    .use(describedAs('`pagination.nextCursor` of the previous page, with the same filters.'))
    .optional(),
}

/** Maximum characters of large texts on one page; a single row may have more. */
export const MAX_CHARACTERS = 4 * 1024 * 1024

export interface PageRequest {
  limit: number
  /** The keyset values of the last row of the previous page; null for the first page. */
  after: readonly (string | number)[] | null
}

/** Signs and verifies cursors, which are bound to a list and its filters. */
export class Cursors {
  constructor(private readonly secret: string) {}

  #tag(binding: string, body: string): Buffer {
    return createHmac('sha256', this.secret).update(`${binding}\n${body}`).digest().subarray(0, 16)
  }

  write(binding: string, keys: readonly (string | number)[]): string {
    const body = JSON.stringify(keys)
    const tag = this.#tag(binding, body)
    return Buffer.concat([tag, Buffer.from(body)]).toString('base64url')
  }

  /** @throws invalid_cursor */
  read(binding: string, cursor: string): (string | number)[] {
    const bytes = Buffer.from(cursor, 'base64url')
    const body = bytes.subarray(16).toString()
    if (bytes.length < 18 || !timingSafeEqual(bytes.subarray(0, 16), this.#tag(binding, body))) {
      throw refuse('invalid_cursor', {
        detail: 'The cursor does not belong to this list and its filters.',
        errors: [{ parameter: 'cursor', code: 'cursor', message: 'Use nextCursor unchanged.' }],
      })
    }
    return JSON.parse(body)
  }
}

/** Returns the identity of a list: its path and its filters. */
export function bindingOf(path: string, filters: Record<string, unknown>): string {
  const kept = Object.entries(filters)
    .filter(([name, value]) => name !== 'limit' && name !== 'cursor' && value !== undefined)
    .sort(([a], [b]) => compareTexts(a, b))
  return JSON.stringify([path, kept])
}

/** Some rows of a page that is too expensive to read in one request. */
export interface PartialRows<Row> {
  rows: Row[]
  /** The keyset at which the next page starts; null at the end of the list. */
  nextKeys: readonly (string | number)[] | null
}

/**
 * Returns the response with one page. `fetch` reads up to `limit + 1` rows after a keyset, in
 * order; the extra row only shows that there are more. A page ends early if its rows are too large:
 * `charactersOf` returns their size, and `transform` reads their large values. If `fetch` stops
 * early (`PartialRows`), the page may be short or empty and still have a successor.
 */
export async function page<Row>(options: {
  cursors: Cursors
  /** Path of the list as the client requests it, without the query. */
  path: string
  /** The list that cursors belong to, if its path may change; the path by default. */
  boundTo?: string
  query: { limit?: number; cursor?: string } & Record<string, unknown>
  fetch: (request: PageRequest) => Promise<Row[] | PartialRows<Row>>
  keys: (row: Row) => readonly (string | number)[]
  charactersOf?: (row: Row) => number
  transform: (rows: Row[]) => unknown[] | Promise<unknown[]>
}): Promise<OperationResponse> {
  const { cursors, path, boundTo = path, query } = options
  const limit = query.limit ?? DEFAULT_LIMIT
  const binding = bindingOf(boundTo, query)
  const after = query.cursor ? cursors.read(binding, query.cursor) : null
  const fetched = await options.fetch({ limit: limit + 1, after })
  const { rows, nextKeys } = Array.isArray(fetched) ? { rows: fetched, nextKeys: null } : fetched
  const shown = rows.slice(0, Math.min(limit, countFitting(rows, options.charactersOf)))
  const isCut = rows.length > shown.length
  const hasMore = isCut || nextKeys !== null
  const last = shown.at(-1)
  const next = isCut && last !== undefined ? options.keys(last) : nextKeys
  const nextCursor = next ? cursors.write(binding, next) : null
  const body = { data: await options.transform(shown), pagination: { limit, hasMore, nextCursor } }
  if (!nextCursor) return ok(body)

  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || name === 'cursor') continue
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each))
  }
  parameters.set('cursor', nextCursor)
  return ok(body, { link: `<${path}?${parameters}>; rel="next"` })
}

/** Returns the number of rows that fit into one page, at least one. */
function countFitting<Row>(
  rows: readonly Row[],
  charactersOf: (row: Row) => number = () => 0
): number {
  let characters = 0
  const first = rows.findIndex((row) => (characters += charactersOf(row)) > MAX_CHARACTERS)
  return first < 0 ? rows.length : Math.max(first, 1)
}
