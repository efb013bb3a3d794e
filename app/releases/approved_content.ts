import { createHash } from 'node:crypto'
import { releaseParts, type ApprovedPart, type Author } from './parts.js'
import type { ReleaseRow } from './queries/read_release.js'
import type { StepRow } from './queries/step_rows.js'

/** What an approval is bound to, and whose work it is. */
export interface ApprovedContent {
  hash: string
  authors: Author[]
}

/** What a release holds for approval now: what its parts ask to be approved. */
export function approvedContent(release: ReleaseRow, steps: readonly StepRow[]): ApprovedContent {
  const parts = releaseParts.parts.flatMap((part): [string, ApprovedPart][] => {
    const approved = part.approved?.(release, steps)
    return approved ? [[part.name, approved]] : []
  })
  return {
    hash: approvedHash(parts.map(([name, { content }]) => [name, content])),
    authors: [
      { actor: release.createdBy, did: `created the release ${release.version}` },
      ...parts.flatMap(([, { authors }]) => authors),
    ],
  }
}

/** The same content has the same hash, whatever the order of its parts. */
export function approvedHash(content: readonly (readonly [part: string, content: unknown])[]) {
  const ordered = [...content].sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(ordered)).digest('hex')
}
