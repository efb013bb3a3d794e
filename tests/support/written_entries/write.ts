import type { ApiOptions } from '../api.js'
import type { Paths } from '../something_of_everything.js'

/** A write of an operation, and the entries it leaves. */
export interface Write {
  send: (path: Paths) => [method: string, path: string, options?: ApiOptions]
  /** Of the release or releases it is about, each type once, in the order they came. */
  release?: string[]
  app?: string[]
  audit?: string[]
  /** Why it leaves none. */
  none?: string
}

export const json = (body: object): ApiOptions => ({ json: body })

/** What a release tells of when its regression testing has come to something else. */
export const derived = ['release.regressionStatusUpdated', 'releaseStep.statusChanged']
