import type { MaybeOptionalInit } from 'openapi-fetch'
import type { TarmacClient } from './client.js'
import type { paths } from './generated/openapi.js'
import { orThrow } from './problem.js'

/** A page of a list. */
interface Page<Item> {
  data: Item[]
  pagination: { nextCursor: string | null }
}

type PageOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } }
}
  ? Body
  : never

/** Paths of lists that come in pages. */
export type ListPath = {
  [Path in keyof paths]: [PageOf<Path>] extends [never]
    ? never
    : PageOf<Path> extends Page<unknown>
      ? Path
      : never
}[keyof paths]

type ItemOf<Path extends ListPath> = PageOf<Path> extends Page<infer Item> ? Item : never

/** The options of a `GET` of a list. */
type Init<Path extends ListPath> = MaybeOptionalInit<paths[Path], 'get'>

/**
 * Iterates over all items of a list, which is asked for page by page.
 * @throws TarmacError for a page that is refused
 */
export async function* paginate<Path extends ListPath>(
  client: TarmacClient,
  path: Path,
  init: Init<Path>
): AsyncGenerator<ItemOf<Path>, void, void> {
  const get = client.GET as unknown as (
    path: Path,
    init: unknown
  ) => Promise<{ data?: Page<ItemOf<Path>>; error?: unknown; response: Response }>
  let cursor: string | null | undefined
  do {
    const given = init as { params?: { query?: object } }
    const query = { ...given.params?.query, ...(cursor ? { cursor } : {}) }
    const page = await orThrow(get(path, { ...given, params: { ...given.params, query } }))
    yield* page.data
    cursor = page.pagination.nextCursor
  } while (cursor)
}
