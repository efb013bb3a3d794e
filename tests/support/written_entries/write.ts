import type { ApiOptions } from '../api.js'
import type { Paths } from '../something_of_everything.js'

/** A write of an operation, and the types of the entries that it leaves. */
export interface Write {
  send: (path: Paths) => [method: string, path: string, options?: ApiOptions]
  /** In the timelines of releases: each type once, in order. */
  release?: string[]
  /** In the timeline of the app. */
  app?: string[]
  /** In the audit log. */
  audit?: string[]
  /** The reason why it leaves no entry. */
  none?: string
}

export const json = (body: object): ApiOptions => ({ json: body })

/** Events of a release whose regression status changes. */
export const derived = ['release.regressionStatusUpdated', 'releaseStep.statusChanged']
