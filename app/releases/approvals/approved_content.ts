import { createHash } from 'node:crypto'
import { releaseParts, type ApprovedContent, type ApprovedPart } from '../parts.js'
import type { ReleaseRow } from '../queries/read_release.js'
import type { StepRow } from '../queries/step_rows.js'

/**
 * Where what is approved begins: what an empty release holds, in the order it is hashed in.
 * Stored votes hold hashes, so a change of a name or of the order lets every approval fall.
 */
const EMPTY = { chosenBuild: null, texts: [] }

/** What a release holds for approval now: what its parts ask to be approved. */
export function approvedContent(release: ReleaseRow, steps: readonly StepRow[]): ApprovedContent {
  const parts = releaseParts.parts.flatMap(({ facts }) => facts?.approved?.(release, steps) ?? [])
  return {
    ...boundContent(parts.map((part) => part.content)),
    authors: [
      { actor: release.createdBy, did: `created the release ${release.version}` },
      ...parts.flatMap(({ authors }) => authors),
    ],
  }
}

/**
 * What approvals are bound to. The same content has the same hash, whatever the order of its parts; a part that says
 * nothing leaves the hash as it is without that part.
 */
export function boundContent(contents: readonly ApprovedPart['content'][]) {
  const given = contents
    .flatMap((content) => Object.entries(content))
    .filter(([, value]) => value !== null && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const content: Record<string, unknown> = { ...EMPTY, ...Object.fromEntries(given) }
  return { content, hash: createHash('sha256').update(JSON.stringify(content)).digest('hex') }
}
