import { createHash } from 'node:crypto'
import type { Actor } from '#foundation/core/scope'
import type Release from './models/release.js'
import type { StepRow } from './queries/load_facts.js'
import { contentHash } from './store_texts.js'

/** What people approve when they approve a release. */
export interface ApprovedContent {
  /** Id of the build chosen to ship; null while none is. */
  chosenBuild: string | null
  /** Store texts by the step they belong to. */
  texts: readonly { stepId: string; localizations: unknown }[]
}

/** What the steps of a release hold for approval now. */
export function contentToApprove(steps: readonly StepRow[]): ApprovedContent {
  return {
    chosenBuild: null,
    texts: metadataFacts(steps).map(({ stepId, facts }) => ({
      stepId,
      localizations: facts.localizations,
    })),
  }
}

/**
 * What an approval is bound to. The same build and texts have the same hash whatever the
 * order of the steps; a step without texts adds nothing.
 */
export function approvedContentHash({ chosenBuild, texts }: ApprovedContent): string {
  const nothing = contentHash([])
  const hashes = texts
    .map(({ stepId, localizations }) => [stepId, contentHash(localizations)])
    .filter(([, hash]) => hash !== nothing)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify({ chosenBuild, texts: hashes }))
    .digest('hex')
}

/** Someone whose work is approved. */
export interface Author {
  actor: Actor
  /** What they did, as the end of a sentence about them. */
  did: string
}

/** Who made the release and who last changed its content. */
export function authorsOf(release: Release, steps: readonly StepRow[]): Author[] {
  return [
    { actor: release.createdBy, did: `created the release ${release.version}` },
    ...metadataFacts(steps).flatMap(({ name, facts }) =>
      facts.editedBy ? { actor: facts.editedBy, did: `last changed the texts of ${name}` } : []
    ),
  ]
}

function metadataFacts(steps: readonly StepRow[]) {
  return steps.flatMap((step) => {
    if (step.type !== 'metadata') return []
    const facts = JSON.parse(step.facts) as { localizations?: unknown; editedBy?: Actor }
    return { stepId: step.id, name: step.name, facts }
  })
}
