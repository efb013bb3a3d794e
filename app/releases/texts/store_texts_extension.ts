import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { ReleaseExtension } from '../extensions.js'
import type { StepRow } from '../queries/step_rows.js'
import { contentHash } from './store_texts.js'

const NOTHING = contentHash([])

/** Adds the store texts of the metadata steps, with their authors, to the approved content. */
export const storeTextsExtension: ReleaseExtension = {
  name: 'storeTexts',
  facts: {
    approved(_release, steps) {
      const holding = steps.filter((step) => step.type === 'metadata')
      return { content: { texts: hashes(holding) }, authors: holding.flatMap(authorOf) }
    },
  },
}

/** Returns the hashes of the texts by step. Steps without texts are left out. */
function hashes(steps: readonly StepRow[]): [stepId: string, hash: string][] {
  return steps
    .map(({ id, notes }): [string, string] => [id, contentHash(notes.localizations ?? [])])
    .filter(([, hash]) => hash !== NOTHING)
    .sort(([a], [b]) => compareTexts(a, b))
}

function authorOf({ name, notes: { editedBy } }: StepRow) {
  return editedBy ? [{ actor: editedBy, did: `last changed the texts of ${name}` }] : []
}
