import type { ApiOptions } from '../api.js'
import type { Paths } from '../something_of_everything.js'

/** A write of an operation, and the entries it leaves. */
export interface Write {
  send: (path: Paths) => [method: string, path: string, options?: ApiOptions]
  /** The event types of the release or releases it is about, each once, in the order they came. */
  release?: string[]
  app?: string[]
  audit?: string[]
  /** Why it leaves none. */
  none?: string
}

export const json = (body: object): ApiOptions => ({ json: body })

/** Events of a release whose regression testing has got another result. */
export const derived = ['release.regressionStatusUpdated', 'releaseStep.statusChanged']
