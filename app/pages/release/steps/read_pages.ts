import type { Ask } from '../../ask.js'
import type { PageOf } from '../answers.js'

/** The maximum number of pages to read. */
const MAX_PAGES = 5

/** Entries per page. */
const LIMIT = '200'

interface OperationRequest {
  params: Record<string, string>
  query?: Record<string, string>
}

/** Reads a list page by page, up to 1,000 entries. @returns the entries, and if they are all */
export async function readPages<Each>(
  ask: Ask,
  operation: string,
  { params, query = {} }: OperationRequest
): Promise<{ items: Each[]; isAll: boolean }> {
  const items: Each[] = []
  let cursor: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const pageQuery: Record<string, string> = { ...query, limit: LIMIT, ...(cursor && { cursor }) }
    const { body } = await ask<PageOf<Each>>(operation, { params, query: pageQuery })
    items.push(...body.data)
    cursor = body.pagination.nextCursor
    if (cursor === null) return { items, isAll: true }
  }
  return { items, isAll: false }
}
