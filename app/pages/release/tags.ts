import { operations } from '#foundation/api/operation/registry'
import type { Refused } from '../frame/page.js'

/** Entity tags of what the forms of a release change, as it was read. */
export interface Tags {
  release: string
  /** Of runs of steps, by id. */
  runs: Readonly<Record<string, string>>
}

/** Returns the tag that a form of an operation carries; null where the operation takes none. */
export function tagOf(operation: string, tags: Tags, run: string | null): string | null {
  const of = operations.get(operation).precondition?.of
  if (of === 'getRelease') return tags.release
  return of === 'getStepRun' && run !== null ? (tags.runs[run] ?? null) : null
}

/**
 * Returns the tag of a form that is shown again. Where it was not even taken, as the page had been
 * open for too long, it stays about what was seen then.
 */
export const seenTag = (tag: string | null, action: string, refused: Refused | null) =>
  refused?.action === action && refused.problem.code === 'form_stale' ? (refused.tag ?? tag) : tag
