import type { ApiOptions } from '../api.js'

/** A write as it is sent, and what is read with a tag that must stay. */
export interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  options?: ApiOptions
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
