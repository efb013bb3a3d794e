import type { ApiOptions } from '../api.js'

/** A request that writes. */
export interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  options?: ApiOptions
  /** A path whose entity tag must stay the same when the write is repeated. */
  tagged?: string
  /** The status of its answer, if it is not 200. */
  status?: number
}

export const put = (path: string, json?: unknown, tagged?: string): Write => ({
  method: 'PUT',
  path,
  options: { json },
  tagged,
})
