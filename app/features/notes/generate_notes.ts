import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import { unitOfWork } from '#foundation/core/services'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { appSummary, storeKindOfApp } from '#apps/queries/app_summary'
import { releaseStillThere } from '#releases/queries/find_release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { featureItemsOf } from '../queries/feature_items.js'
import type { GenerateNotesInput } from '../validators/notes_input.js'
import { askModel, MAX_LINES } from './ask_model.js'
import { noteLines, writeNotes } from './draft_notes.js'
import { noteWords } from './heading_words.js'
import { NOTES_STEP_TYPES, NOTES_TYPES, type NotesStepType, type NotesType } from './vocabulary.js'

/** Most characters of notes, by store; TestFlight takes as much as the App Store. */
const LIMITS = { apple: 4000, google: 500, ota: 4000 } as const

const DEFAULT_LOCALE = 'en-US'

/** Code statuses that a release contains, or will contain at its kickoff. */
const INSIDE = new Set(['merged', 'inRelease', 'released'])

/**
 * Writes notes about what is in a release. They are not stored; the timeline records that they were
 * written. The model, if there is one, is asked outside of any transaction.
 * @throws invalid_input
 */
export async function generateNotes(
  scope: Scope,
  release: ReleaseRow,
  of: { notesType: string; stepType: string },
  input: GenerateNotesInput
) {
  const { notesType, stepType } = requireKind(of)
  const errors = new InputErrors()
  const locale = checkNotes(input, errors)
  errors.throwIfAny()
  const store = await storeKindOfApp(scope, release.appId)
  const limit = Math.min(input.maxLength ?? LIMITS[store], LIMITS[store])
  const audience = notesType === 'betaNotes' ? 'testers' : 'users'
  const items = (await featureItemsOf(scope, release.id)).filter(
    ({ codeStatus, ignored }) => INSIDE.has(codeStatus) && !ignored
  )
  const isWaiting = release.kickedOffAt === null
  const shipped = items.filter(({ codeStatus }) => isWaiting || codeStatus !== 'merged')
  const lines = noteLines(shipped, audience)
  await yieldToOthers()
  const drafted = writeNotes(lines, noteWords(locale), limit)
  const { name: appName } = await appSummary(scope, release.appId)
  const result =
    lines.length === 0
      ? null
      : await askModel({
          appName,
          version: release.version,
          locale,
          kind: notesType,
          limit,
          tone: input.tone ?? null,
          instructions: input.instructions ?? null,
          lines,
        })
  const isFromModel = result !== null && 'notes' in result
  const failure = result !== null && 'failure' in result ? result.failure : null
  const reported = {
    notesType,
    stepType,
    locale,
    source: isFromModel ? 'model' : 'workItems',
  } as const
  await unitOfWork.inTransaction(scope, async (writing) => {
    const current = await releaseStillThere(writing, release.appId, release.id)
    if (!current) throw refuse('not_found')
    recordReleaseEvent(writing, current, {
      type: 'notes.generated',
      title: `Notes for ${locale} were written ${isFromModel ? 'by a model' : 'from the work items'}`,
      data: { ...reported, modelFailure: failure },
      payload: null,
    })
  })
  return {
    notes: isFromModel ? result.notes : drafted.notes,
    ...reported,
    modelFailure: failure,
    generatedAt: scope.now,
    basedOn: isFromModel
      ? lines
          .slice(0, MAX_LINES)
          .flatMap(({ ids }) => ids)
          .sort()
      : drafted.basedOn,
  }
}

/** @throws invalid_input */
function requireKind({ notesType, stepType }: { notesType: string; stepType: string }) {
  const errors = [
    ...(isOne(NOTES_TYPES, notesType) ? [] : [wrong('notesType', NOTES_TYPES)]),
    ...(isOne(NOTES_STEP_TYPES, stepType) ? [] : [wrong('stepType', NOTES_STEP_TYPES)]),
  ]
  if (errors.length > 0) throw refuse('invalid_input', { errors })
  return { notesType: notesType as NotesType, stepType: stepType as NotesStepType }
}

const isOne = (words: readonly string[], word: string) => words.includes(word)

const wrong = (parameter: string, words: readonly string[]) => ({
  parameter,
  code: 'enum',
  message: `It has to be one of ${words.join(', ')}.`,
})

/** Returns the canonical spelling of a BCP-47 tag; null if it is none. */
function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

/**
 * Collects the errors of an input beyond its shape.
 * @returns the requested language
 */
export function checkNotes(
  { locale }: PartiallyValid<GenerateNotesInput>,
  errors: InputErrors
): string {
  const found = canonical(locale ?? DEFAULT_LOCALE)
  if (found === null) {
    errors.add({ pointer: '/locale', code: 'locale', message: 'Not a BCP-47 tag.' })
  }
  return found ?? DEFAULT_LOCALE
}
