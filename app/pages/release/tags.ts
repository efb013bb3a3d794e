import { operations } from '#foundation/api/operation/registry'

/** The entity tags of what the forms of a release change. */
export interface Tags {
  release: string
  /** Tags of runs of steps, by id. */
  runs: Readonly<Record<string, string>>
}

/** Returns the tag that a form of an operation carries; null if the operation takes none. */
export function tagOf(operation: string, tags: Tags, run: string | null): string | null {
  const of = operations.get(operation).precondition?.of
  if (of === 'getRelease') return tags.release
  return of === 'getStepRun' && run !== null ? (tags.runs[run] ?? null) : null
}
