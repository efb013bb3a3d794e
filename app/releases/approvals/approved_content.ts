import { compareTexts } from '../../foundation/core/compare_texts.js'
import { createHash } from 'node:crypto'
import { releaseExtensions, type ApprovedContent, type ApprovedPart } from '../extensions.js'
import type { ReleaseRow } from '../queries/read_release.js'
import type { StepRow } from '../queries/step_rows.js'

/**
 * The approved content of an empty release, in the order in which it is hashed. Stored votes hold
 * hashes: renaming or reordering a member invalidates every approval.
 */
const EMPTY = { chosenBuild: null, texts: [] }

/** Returns the content of a release that approvals are for, from all extensions. */
export function approvedContent(release: ReleaseRow, steps: readonly StepRow[]): ApprovedContent {
  const parts = releaseExtensions.all.flatMap(
    ({ facts }) => facts?.approved?.(release, steps) ?? []
  )
  return {
    ...boundContent(parts.map((part) => part.content)),
    authors: [
      { actor: release.createdBy, did: `created the release ${release.version}` },
      ...parts.flatMap(({ authors }) => authors),
    ],
  }
}

/**
 * Returns the content that approvals are bound to. The hash only depends on the content, not on the
 * order of the parts. A part without content does not change it.
 */
export function boundContent(contents: readonly ApprovedPart['content'][]) {
  const given = contents
    .flatMap((content) => Object.entries(content))
    .filter(([, value]) => value !== null && value !== undefined)
    .sort(([a], [b]) => compareTexts(a, b))
  const content: Record<string, unknown> = { ...EMPTY, ...Object.fromEntries(given) }
  return { content, hash: createHash('sha256').update(JSON.stringify(content)).digest('hex') }
}
